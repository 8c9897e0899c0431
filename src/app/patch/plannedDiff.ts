import { printUnified, type PlannedFile } from "../../engine/index.ts";
import { diffOf } from "../commit.ts";
import type { PatchFiles } from "./patchFiles.ts";

/** The server diff of a planned file, before anything is written. */
export function plannedDiff(files: PatchFiles, planned: PlannedFile): string {
  const { key } = planned.path;
  const ref = files.refs.get(key);
  const snapshot = files.snapshots.get(key);
  if (ref === undefined || snapshot === undefined) return "";
  switch (planned.kind) {
    case "unchanged":
      return "";
    case "delete":
      return diffOf(ref, snapshot, { kind: "delete", notes: [] });
    case "add":
      return planned.content.kind === "text"
        ? diffOf(ref, snapshot, { kind: "create", text: planned.content.text, notes: [] })
        : "";
    case "update":
    case "move":
      return planned.change === null ? "" : printUnified(planned.change.diff, ref.asked);
  }
}

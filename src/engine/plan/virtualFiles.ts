import { assert } from "../../base/assert.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { PlaceOptions } from "../match/placement.ts";
import type { AddOperation, PatchOperation, UpdateOperation } from "../patch/patchDoc.ts";
import type { Explanation } from "../report/outcome.ts";
import type { GroupProblem } from "../report/patchProblem.ts";
import { SourceText } from "../text/sourceText.ts";
import type { Edit } from "../text/splice.ts";
import { textAfter } from "./lineEdit.ts";
import { planUpdate, type PlacedHunk } from "./planUpdate.ts";

/** A path of the patch, resolved by the caller. Two paths are one file exactly when their `key` is equal. */
export interface PatchPath {
  /** Identity of the file: absolute, links followed, case folded where the file system folds it. */
  readonly key: string;
  /** Absolute and cleaned, links not followed. Equal keys with unequal names are one file under two names. */
  readonly name: string;
  /** What results and cards show. */
  readonly shown: string;
  /** Where the last name is itself a link: what it leads to. A patch does not write through a link. */
  readonly linkTo?: string;
}

/** One file as the snapshot has it. Texts come without BOM. */
export type PatchFileState =
  | { readonly kind: "missing"; readonly similar: readonly string[] }
  /** `encoding` by any name that is the same for the same encoding; absent where all texts have one. */
  | { readonly kind: "text"; readonly text: string; readonly encoding?: string }
  /** There, but not as text: it can be deleted and moved, not updated. */
  | { readonly kind: "undecodable"; readonly explanation: Explanation }
  /** Nothing may be done with this path: outside, denied, a folder, not readable. */
  | { readonly kind: "blocked"; readonly explanation: Explanation };

/** One file in the middle of a patch. */
export type VirtualFile =
  | { readonly kind: "missing"; readonly similar: readonly string[] }
  | { readonly kind: "blocked"; readonly explanation: Explanation }
  | {
      readonly kind: "bytes";
      readonly explanation: Explanation;
      /** Key of the file whose bytes these are. */
      readonly origin: string;
    }
  | {
      readonly kind: "text";
      readonly text: string;
      /** Its lines, made when they are first asked for: most files are updated once. */
      readonly source: () => SourceText;
      /** Key of the file that the text came from, and the edit since then; null for an added file. */
      readonly origin: string | null;
      readonly edit: Edit | null;
      readonly encoding: string | undefined;
    };

type TextFile = Extract<VirtualFile, { kind: "text" }>;

/** What an operation makes of the files it touches. */
export interface OperationEffect {
  readonly writes: readonly (readonly [key: string, file: VirtualFile])[];
  readonly hunks: readonly PlacedHunk[];
}

export function virtualFile(key: string, state: PatchFileState): VirtualFile {
  switch (state.kind) {
    case "missing":
    case "blocked":
      return state;
    case "undecodable":
      return { kind: "bytes", explanation: state.explanation, origin: key };
    case "text":
      return textFile(state.text, key, null, state.encoding);
  }
}

function textFile(
  text: string,
  origin: string | null,
  edit: Edit | null,
  encoding: string | undefined,
): TextFile {
  let source: SourceText | undefined;
  return {
    kind: "text",
    text,
    source: () => (source ??= SourceText.of(text)),
    origin,
    edit,
    encoding,
  };
}

/** The text of an added file: every line ends in LF. */
export function addedText(operation: AddOperation): string {
  return `${operation.lines.join("\n")}\n`;
}

/** Applies one operation to the files as earlier operations left them. Changes nothing itself. */
export function applyOperation(
  operation: PatchOperation,
  pathOf: (path: string) => PatchPath,
  fileAt: (key: string) => VirtualFile,
  options: PlaceOptions,
): Result<OperationEffect, GroupProblem> {
  const { key, shown } = pathOf(operation.path);
  const file = fileAt(key);
  if (file.kind === "blocked")
    return fail({ code: "file", path: shown, explanation: file.explanation });
  if (operation.kind === "add") {
    if (file.kind !== "missing") return fail({ code: "add-exists", path: shown });
    return ok({
      writes: [[key, textFile(addedText(operation), null, null, undefined)]],
      hunks: [],
    });
  }
  if (file.kind === "missing")
    return fail({ code: "source-missing", path: shown, similar: file.similar });
  if (operation.kind === "delete") return ok({ writes: [[key, GONE]], hunks: [] });
  const updated = update(operation, file, shown, options);
  if (!updated.ok) return updated;
  const { hunks } = updated.value;
  if (operation.moveTo === null) return ok({ writes: [[key, updated.value.file]], hunks });
  const target = pathOf(operation.moveTo);
  assert(target.key !== key, "a move to itself is refused before");
  const there = fileAt(target.key);
  if (there.kind === "blocked")
    return fail({ code: "file", path: target.shown, explanation: there.explanation });
  if (there.kind !== "missing") return fail({ code: "move-target-exists", path: target.shown });
  return ok({
    writes: [
      [key, GONE],
      [target.key, updated.value.file],
    ],
    hunks,
  });
}

const GONE: VirtualFile = { kind: "missing", similar: [] };

type PresentFile = Extract<VirtualFile, { kind: "text" | "bytes" }>;

function update(
  operation: UpdateOperation,
  file: PresentFile,
  shown: string,
  options: PlaceOptions,
): Result<{ readonly file: PresentFile; readonly hunks: readonly PlacedHunk[] }, GroupProblem> {
  if (operation.hunks.length === 0) return ok({ file, hunks: [] });
  if (file.kind === "bytes")
    return fail({ code: "file", path: shown, explanation: file.explanation });
  const plan = planUpdate(file.source(), operation.hunks, options);
  if (!plan.ok) return fail({ code: "placement", path: shown, problem: plan.problem });
  const { edit, placements: hunks } = plan.value;
  if (edit.isEmpty) return ok({ file, hunks });
  const text = textAfter(edit, file.text);
  const composed =
    file.origin === null ? null : file.edit === null ? edit : file.edit.compose(edit);
  return ok({ file: textFile(text, file.origin, composed, file.encoding), hunks });
}

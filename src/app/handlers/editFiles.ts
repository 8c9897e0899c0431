import { fail, ok } from "../../base/result.ts";
import {
  SourceText,
  editFilesText,
  explainEdit,
  explainFile,
  planEdits,
  type Explanation,
} from "../../engine/index.ts";
import { editFilesTool } from "../../tools/editFiles.ts";
import type { EditGroup } from "../../tools/editFilesGroups.ts";
import { groupedForm, flattened } from "../../tools/editFilesHook.ts";
import { textEdits } from "../guard.ts";
import type { Handler } from "../handler.ts";
import type { PlanFailure } from "../unit.ts";
import type { FileUnit } from "../unit.ts";
import { runUnits } from "../runUnits.ts";
import { recordOf, requestedEdits } from "./unitRecord.ts";

export const editFilesHandler: Handler = {
  tool: editFilesTool,
  present: groupedForm,
  accept: flattened,
  guardEdits: textEdits,
  validate(args) {
    const request = editFilesTool.validate(args);
    if (!request.ok) return { kind: "refused", text: request.problem.text };
    const guarded = textEdits(args);
    const units = request.value.files.map((group) => unitOf(group, guarded));
    return {
      kind: "ready",
      files: units.map(recordOf),
      async run(context) {
        const run = await runUnits(units, context);
        return { ...run, word: (outcomes, problems) => editFilesText(outcomes, problems) };
      },
    };
  },
};

function unitOf(group: EditGroup, guarded: ReturnType<typeof textEdits>): FileUnit {
  const { path, indexes, edits, refused } = group;
  const sent = edits.map(({ index, oldText, newText, replaceAll }) => ({
    index,
    entry: {
      path,
      old_text: oldText,
      new_text: newText,
      ...(replaceAll ? { replace_all: true } : {}),
    },
  }));
  return {
    path,
    operation: "update",
    use: "edit",
    relative: false,
    edits: indexes,
    ...(refused === null ? {} : { refused }),
    guarded: indexes.flatMap((index) => guarded[index] ?? []),
    requested: requestedEdits(
      edits.map(({ index, oldText, newText }) => ({ name: `edits[${index}]`, oldText, newText })),
    ),
    resend: JSON.stringify({ edits: sent.map(({ entry }) => entry) }, null, 2),
    plan(snapshot, skipped) {
      if (snapshot.kind === "missing")
        return failed(
          explainFile({ code: "file-missing", path, similar: snapshot.similar }),
          false,
        );
      if (!snapshot.body.ok) return failed(explainFile(snapshot.body.problem), false);
      const source = SourceText.of(snapshot.body.value.text);
      const change = planEdits(
        source,
        edits.filter(({ index }) => !skipped.has(index)),
      );
      if (!change.ok) {
        const [problem] = change.problem;
        if (problem === undefined) return failed(explainFile({ code: "internal", path }), false);
        return failed(explainEdit(problem), problem.code === "text-not-found");
      }
      return ok({ kind: "update", change: change.value, notes: [] });
    },
  };
}

function failed(
  error: Explanation,
  missed: boolean,
): { readonly ok: false; readonly problem: PlanFailure } {
  return fail({ error, missed });
}

import { fail, ok } from "../../base/result.ts";
import {
  SourceText,
  cleaningNotes,
  explainReplacedFile,
  explainReplace,
  planBatch,
  planReplace,
  sayReplaced,
} from "../../engine/index.ts";
import { editTool, type EditRequest } from "../../tools/edit.ts";
import { textEdits } from "../guard.ts";
import type { Handler } from "../handler.ts";
import type { FileUnit } from "../unit.ts";
import { singleFileHandler } from "./singleFile.ts";
import { requestedEdits } from "./unitRecord.ts";

export const editHandler: Handler = singleFileHandler(editTool, unitOf, textEdits);

function unitOf(request: EditRequest, args: unknown): FileUnit {
  const { path, refused } = request;
  const texts =
    request.kind === "single"
      ? [request.replacement]
      : request.entries.map(({ oldString = "", newString = "" }) => ({ oldString, newString }));
  return {
    path,
    operation: "update",
    use: "edit",
    relative: true,
    explain: explainReplacedFile,
    edits: texts.map((_, index) => index),
    ...(refused === null ? {} : { refused }),
    guarded: textEdits(args),
    guardedWhole: true,
    requested: requestedEdits(
      texts.map(({ oldString, newString }, index) => ({
        name: texts.length === 1 ? "edit" : `edits[${index}]`,
        oldText: oldString,
        newText: newString,
      })),
    ),
    resend: JSON.stringify(args, null, 2),
    plan(snapshot) {
      if (snapshot.kind === "missing")
        return fail({
          error: explainReplacedFile({ code: "file-missing", path, similar: snapshot.similar }),
          missed: false,
        });
      if (!snapshot.body.ok)
        return fail({ error: explainReplacedFile(snapshot.body.problem), missed: false });
      const plan = replaced(request, SourceText.of(snapshot.body.value.text));
      if (!plan.ok)
        return fail({
          error: explainReplace(plan.problem),
          // A batch looks for exact texts only, so its misses are not approximate ones.
          missed: plan.problem.code === "not-found",
        });
      const { value } = plan;
      return ok({
        kind: "update",
        change: value.change,
        notes: cleaningNotes(value.removed),
        say: (sizes) => sayReplaced(value, sizes),
      });
    },
  };
}

function replaced(request: EditRequest, source: SourceText) {
  return request.kind === "single"
    ? planReplace(source, request.replacement)
    : planBatch(source, request.entries);
}

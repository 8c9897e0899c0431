import { fail, ok } from "../../base/result.ts";
import { explainReplacedFile, sayDeleted } from "../../engine/index.ts";
import { deleteTool } from "../../tools/deleteFile.ts";
import type { Handler } from "../handler.ts";
import type { FileUnit } from "../unit.ts";
import { runSingle } from "./singleFile.ts";
import { recordOf } from "./unitRecord.ts";

export const deleteHandler: Handler = {
  tool: deleteTool,
  present: (args) => args,
  accept: (args) => ({ args }),
  // A file that is gone cannot be deleted twice; the second call says so.
  guardEdits: () => [],
  validate(args) {
    const request = deleteTool.validate(args);
    if (!request.ok) return { kind: "refused", text: request.problem.text };
    const unit = unitOf(request.value.path, args);
    return {
      kind: "ready",
      files: [recordOf(unit)],
      run: (context) => runSingle(unit, context),
    };
  },
};

function unitOf(path: string, args: unknown): FileUnit {
  return {
    path,
    operation: "delete",
    use: "delete",
    relative: true,
    explain: explainReplacedFile,
    requested: `delete ${path}`,
    resend: JSON.stringify(args, null, 2),
    plan(snapshot) {
      if (snapshot.kind === "missing")
        return fail({
          error: explainReplacedFile({ code: "file-missing", path, similar: snapshot.similar }),
          missed: false,
        });
      return ok({ kind: "delete", notes: [], say: () => sayDeleted(path) });
    },
  };
}

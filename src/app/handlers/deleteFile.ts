import { fail, ok } from "../../base/result.ts";
import { explainReplacedFile, sayDeleted } from "../../engine/index.ts";
import { deleteTool, type DeleteRequest } from "../../tools/deleteFile.ts";
import type { Handler } from "../handler.ts";
import type { FileUnit } from "../unit.ts";
import { singleFileHandler } from "./singleFile.ts";

// A file that is gone cannot be deleted twice; the second call says so.
export const deleteHandler: Handler = singleFileHandler(deleteTool, unitOf, () => []);

function unitOf({ path }: DeleteRequest, args: unknown): FileUnit {
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

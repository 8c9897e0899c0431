import { fail, ok } from "../../base/result.ts";
import {
  SourceText,
  cleaningNotes,
  explainReplacedFile,
  explainReplace,
  planWrite,
  sayWritten,
} from "../../engine/index.ts";
import { writeTool, type WriteRequest } from "../../tools/write.ts";
import type { Handler } from "../handler.ts";
import type { FileUnit } from "../unit.ts";
import { singleFileHandler } from "./singleFile.ts";

// Writing the same content twice changes nothing, so there is nothing to guard.
export const writeHandler: Handler = singleFileHandler(writeTool, unitOf, () => []);

function unitOf({ path, content, refused }: WriteRequest, args: unknown): FileUnit {
  return {
    path,
    operation: "update",
    use: "create",
    relative: true,
    explain: explainReplacedFile,
    ...(refused === null ? {} : { refused }),
    requested: content,
    resend: JSON.stringify(args, null, 2),
    plan(snapshot) {
      if (snapshot.kind === "file" && !snapshot.body.ok)
        return fail({ error: explainReplacedFile(snapshot.body.problem), missed: false });
      const before =
        snapshot.kind === "file" && snapshot.body.ok
          ? SourceText.of(snapshot.body.value.text)
          : null;
      const plan = planWrite(before, content);
      if (!plan.ok) return fail({ error: explainReplace(plan.problem), missed: false });
      const { value } = plan;
      const shared = {
        notes: cleaningNotes(value.removed),
        say: (sizes: Parameters<typeof sayWritten>[2]) => sayWritten(path, value, sizes),
      };
      return ok(
        value.kind === "create"
          ? { kind: "create", text: value.text, ...shared }
          : { kind: "update", change: value.change, ...shared },
      );
    },
  };
}

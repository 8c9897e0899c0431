import { patchPaths } from "../../engine/index.ts";
import { applyPatchTool } from "../../tools/applyPatch.ts";
import type { Handler } from "../handler.ts";
import { operationGroups, patchGuardEdits } from "../patch/patchGuard.ts";
import { waitingRecord } from "../patch/patchOutcome.ts";
import { runPatch } from "../patch/runPatch.ts";

export const applyPatchHandler: Handler = {
  tool: applyPatchTool,
  present: (args) => args,
  accept: (args) => ({ args }),
  guardEdits: patchGuardEdits,
  validate(args) {
    const request = applyPatchTool.validate(args);
    if (!request.ok) return { kind: "refused", text: request.problem.text };
    const { doc } = request.value.parsed;
    return {
      kind: "ready",
      files: operationGroups(doc).map(({ path, indexes }) => waitingRecord(doc, path, indexes)),
      paths: patchPaths(doc),
      run: (context) => runPatch(request.value, context),
    };
  },
};

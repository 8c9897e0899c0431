import { explanationText, type FileOutcome } from "../../engine/index.ts";
import type { Tool } from "../../tools/tool.ts";
import type { Ended, Handler } from "../handler.ts";
import { runUnits, type UnitsContext } from "../runUnits.ts";
import type { FileUnit } from "../unit.ts";
import { recordOf } from "./unitRecord.ts";

/** The handler of a tool whose call is about exactly one file. Hooks see its arguments as they are. */
export function singleFileHandler<Request>(
  tool: Tool<Request>,
  unitOf: (request: Request, args: unknown) => FileUnit,
  guardEdits: Handler["guardEdits"],
): Handler {
  return {
    tool,
    present: (args) => args,
    accept: (args) => ({ args }),
    guardEdits,
    validate(args) {
      const request = tool.validate(args);
      if (!request.ok) return { kind: "refused", text: request.problem.text };
      const unit = unitOf(request.value, args);
      return {
        kind: "ready",
        files: [recordOf(unit)],
        run: (context) => runSingle(unit, context),
      };
    },
  };
}

/** Its result is a sentence: what was done, or why nothing was. */
async function runSingle(unit: FileUnit, context: UnitsContext): Promise<Ended> {
  const run = await runUnits([unit], context);
  return {
    ...run,
    word([outcome], problems) {
      const text = [outcome === undefined ? "" : sentence(outcome, run.said[0])];
      if (problems.length > 0)
        text.push("New problems in the changed file:", ...problems.map((one) => `- ${one}`));
      const isError = outcome?.status === "rejected" || outcome?.status === "unknown";
      return { text: text.join("\n"), isError, message: text[0] ?? "" };
    },
  };
}

function sentence({ status, error, note, path }: FileOutcome, said: string | undefined): string {
  switch (status) {
    case "applied":
      return said ?? [`Applied to ${path}`, ...(note === undefined ? [] : [note])].join("\n");
    case "already_applied":
      return note ?? `${path} was already applied by your previous call.`;
    case "unknown":
      return `It is unknown whether ${path} was written: ${error === undefined ? "" : explanationText(error)}`;
    case "rejected":
      return error === undefined ? `${path} was not changed` : explanationText(error);
  }
}

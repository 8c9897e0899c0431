import type { FileOutcome } from "../../engine/index.ts";
import { explanationText } from "../../engine/index.ts";
import type { Ended } from "../handler.ts";
import { runUnits, type UnitsContext } from "../runUnits.ts";
import type { FileUnit } from "../unit.ts";

/** Runs a call of exactly one file, whose result is a sentence: what was done, or why nothing was. */
export async function runSingle(unit: FileUnit, context: UnitsContext): Promise<Ended> {
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

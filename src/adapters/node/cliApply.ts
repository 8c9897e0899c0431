import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import * as z from "zod";
import type { Call, CallResult } from "../../app/call.ts";
import { findAmbiguity } from "../../tools/jsonTokens.ts";
import { readInput } from "./cliInput.ts";
import { createFolderRunner } from "./cliRunner.ts";
import { UsageError } from "./cliUsage.ts";
import { onStopSignal } from "./stopSignals.ts";

const StoredCall = z.union([
  z.strictObject({ tool: z.string(), input: z.unknown(), model: z.string().optional() }),
  z.strictObject({ tool: z.string(), raw: z.string(), model: z.string().optional() }),
]);
type StoredCall = z.infer<typeof StoredCall>;

/** `apply`: runs the calls of FILE in order, prints their results, and exits with the last one's status. */
export async function apply(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords(words);
  if (positionals.length > 1) throw new UsageError("Name at most one FILE.");
  const { calls, many } = callsOf(await readInput(positionals[0] ?? "-"), values.tool);
  // Whoever runs this command chose the calls and the folder, so no rule stands between.
  const { runner } = createFolderRunner(values.root ?? ".", null);
  const stop = new AbortController();
  onStopSignal(() => stop.abort());
  const session = randomUUID();
  const dryRun = values["dry-run"] === true;
  const results: CallResult[] = [];
  for (const call of calls)
    results.push(
      await runner.execute({ ...call, session, source: "cli", dryRun } as Call, stop.signal),
    );
  process.stdout.write(
    values.json === true ? asJson(results, many, dryRun) : asText(results, dryRun),
  );
  const last = results.at(-1)?.structured.status ?? "error";
  return { applied: 0, partial: 1, error: 2 }[last];
}

function asJson(results: readonly CallResult[], many: boolean, dryRun: boolean): string {
  const printed = results.map(({ text, structured }) => ({
    ...(dryRun ? { dryRun } : {}),
    ...structured,
    text,
  }));
  return `${JSON.stringify(many ? printed : printed[0], null, 2)}\n`;
}

/** The words for the model tell what was done; a person must not read those of a dry run so. */
function asText(results: readonly CallResult[], dryRun: boolean): string {
  const lines = results.map(({ text }) => `${text}\n`).join("");
  return dryRun ? `Dry run, nothing was written. It would come to this:\n${lines}` : lines;
}

function readWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        root: { type: "string" },
        tool: { type: "string" },
        "dry-run": { type: "boolean" },
        json: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function callsOf(
  content: string,
  tool: string | undefined,
): { calls: readonly StoredCall[]; many: boolean } {
  if (tool !== undefined) return { calls: [{ tool, raw: content }], many: false };
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    throw new UsageError(
      "FILE is not JSON; with --tool NAME the whole FILE is the input of that tool.",
    );
  }
  // What JSON.parse drops silently may be what another reader of this file takes.
  const ambiguity = findAmbiguity(content, {});
  if (ambiguity !== null) throw new UsageError(`FILE is ambiguous: ${ambiguity}.`);
  const many = Array.isArray(json);
  const parsed = z
    .array(StoredCall)
    .min(1)
    .safeParse(many ? json : [json]);
  if (!parsed.success)
    throw new UsageError(
      'FILE must hold {"tool", "input"} or {"tool", "raw"}, or a list of these.',
    );
  return { calls: parsed.data, many };
}

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { parseArgs } from "node:util";
import * as z from "zod";
import type { Call, CallResult } from "../../app/call.ts";
import { createFolderRunner } from "./cliRunner.ts";
import { UsageError } from "./cliUsage.ts";

const StoredCall = z.union([
  z.strictObject({ tool: z.string(), input: z.unknown(), model: z.string().optional() }),
  z.strictObject({ tool: z.string(), raw: z.string(), model: z.string().optional() }),
]);
type StoredCall = z.infer<typeof StoredCall>;

/** `apply`: runs the calls of FILE in order, prints their results, and exits with the last one's status. */
export async function apply(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords(words);
  if (positionals.length > 1) throw new UsageError("Name at most one FILE.");
  const source = positionals[0] ?? "-";
  const content = source === "-" ? await readAll(process.stdin) : await readInput(source);
  const { calls, many } = callsOf(content, values.tool);
  // Whoever runs this command chose the calls and the folder, so no rule stands between.
  const { runner } = createFolderRunner(values.root ?? ".", null);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const session = randomUUID();
  const results: CallResult[] = [];
  for (const call of calls)
    results.push(
      await runner.execute(
        { ...call, session, source: "cli", dryRun: values["dry-run"] === true } as Call,
        stop.signal,
      ),
    );
  if (values.json === true) {
    const printed = results.map(({ text, structured }) => ({ ...structured, text }));
    process.stdout.write(`${JSON.stringify(many ? printed : printed[0], null, 2)}\n`);
  } else for (const { text } of results) process.stdout.write(`${text}\n`);
  const last = results.at(-1)?.structured.status ?? "error";
  return { applied: 0, partial: 1, error: 2 }[last];
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

async function readInput(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw new UsageError(`FILE ${file} cannot be read.`);
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

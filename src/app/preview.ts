import type { FileResult } from "../protocol/result.ts";
import { questionHash } from "./approvals.ts";
import type { CallResult } from "./call.ts";
import type { Ports } from "./ports.ts";
import type { CallRecord, FileRecord } from "./record.ts";

/** What a call would do and what of it a person would be asked about. */
export interface Preview {
  /** Hash of the question; the same question at the time of the call has the same one. */
  readonly hash: string;
  /** Files that would be asked about, each with its planned diff in `proposed`. */
  readonly asked: readonly FileRecord[];
  /** Every file of the call, as its result would tell it. */
  readonly files: readonly FileResult[];
}

/** Runs a planning with ports that write nothing, ask no hook and no person. */
export async function previewOf(
  world: Ports,
  plan: (ports: Ports) => Promise<CallResult>,
): Promise<Preview | null> {
  const { permissions } = world;
  if (permissions === undefined) return null;
  const questions: { readonly call: CallRecord; readonly files: readonly number[] }[] = [];
  const ports: Ports & { hooks?: unknown } = {
    ...world,
    permissions: {
      problems: () => permissions.problems?.() ?? [],
      judge: (file, use, tool) => permissions.judge(file, use, tool),
      ask: (_, files) => Promise.resolve(files.map(() => "unanswered")),
      wouldAsk: (call, files) => void questions.push({ call, files }),
    },
  };
  delete ports.hooks;
  const { structured } = await plan(ports);
  const [question] = questions;
  if (question === undefined) return null;
  const { call, files } = question;
  return {
    hash: await questionHash(call, files),
    asked: files.flatMap((index) => call.files[index] ?? []),
    files: structured.files,
  };
}

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../wait.ts";

/** One call of a tool that the caller is to make. */
export interface ToolRequest {
  readonly tool: string;
  readonly input: object;
  /** Settings of the user that hold from before this call on. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What the caller was told: the tool's text, or the error that the call ended with. */
export type ToolAnswer =
  | { readonly kind: "result"; readonly text: string }
  | { readonly kind: "error"; readonly name: string; readonly message: string };

/** A request and its answer have the same number, from 1. */
export function requestFile(folder: string, n: number): string {
  return join(folder, `request-${n}.json`);
}

export function answerFile(folder: string, n: number): string {
  return join(folder, `answer-${n}.json`);
}

/** In one step, so that nobody reads half of it. */
export function hand(file: string, value: ToolRequest | ToolAnswer): void {
  writeFileSync(`${file}.part`, JSON.stringify(value));
  renameSync(`${file}.part`, file);
}

/** Waits until the other end has written the file. */
export async function take<T extends ToolRequest | ToolAnswer>(
  file: string,
  msMax: number,
): Promise<T> {
  const there = (): true | undefined => (existsSync(file) ? true : undefined);
  await waitFor(file, msMax, there, 20);
  return JSON.parse(readFileSync(file, "utf8")) as T;
}

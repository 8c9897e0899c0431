import type { Result } from "../base/result.ts";

/**
 * One tool as models are told of it, and the way from what they send to a request. Both steps are total: any text
 * and any JSON gives a result or a refusal, and no file is read.
 */
export interface Tool<Request> {
  /** The formal name; models know it. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For models: what it does, what comes back. */
  readonly description: string;
  /** For people, one sentence: settings and the tools picker show it. */
  readonly userDescription: string;
  /** JSON Schema of the input, made from the one zod schema. */
  jsonSchema(): Readonly<Record<string, unknown>>;
  /** From what arrived to canonical arguments: before hooks see them and before they are stored. */
  decode(arrived: Arrived): Decoded;
  /** From canonical arguments to a request, or the refusal of the whole call. */
  validate(args: unknown): Result<Request, Refusal>;
}

/** `raw` is the text as sent, `input` a value that the host has parsed already. */
export interface Arrived {
  readonly raw?: string;
  readonly input?: unknown;
}

export type Decoded =
  | { readonly kind: "args"; readonly args: unknown; readonly stringDecoded: boolean }
  | {
      readonly kind: "refused";
      /** What the model reads: what to change, then what was not done. */
      readonly text: string;
      /** The arguments, when the text was JSON all the same. */
      readonly args?: unknown;
      /** The text as sent, when it was not. */
      readonly raw?: string;
      /** True when a string was taken for the list before the refusal. */
      readonly stringDecoded?: boolean;
    };

export interface Refusal {
  readonly text: string;
}

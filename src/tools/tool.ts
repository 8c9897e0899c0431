/**
 * One tool as models are told of it, and the way from what they send to a request. Decoding is total: any text and
 * any JSON gives a request or a refusal, and reads no file.
 */
export interface Tool<Request> {
  /** The formal name; models know it. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For models: what it does, what comes back. */
  readonly description: string;
  /** JSON Schema of the input, made from the one zod schema. */
  jsonSchema(): Readonly<Record<string, unknown>>;
  /** `raw` is the text as sent, `input` an object that the host has parsed already. */
  decode(arrived: Arrived): Decoded<Request>;
}

export type Arrived = { readonly raw: string } | { readonly input: unknown };

export type Decoded<Request> =
  | {
      readonly ok: true;
      readonly request: Request;
      readonly args: unknown;
      readonly stringDecoded: boolean;
    }
  | {
      readonly ok: false;
      /** What the model reads: what to change, then what was not done. */
      readonly text: string;
      /** The arguments, when the input was JSON all the same. */
      readonly args?: unknown;
      /** The text as sent, when it was not. */
      readonly raw?: string;
      /** True when a string was decoded into a list before the refusal. */
      readonly stringDecoded: boolean;
    };

/** What the lines of a transcript hold, told apart by each format's reader. */
export type Item =
  | { readonly kind: "call"; readonly call: FoundCall }
  /** What the model was told about an earlier call. */
  | {
      readonly kind: "output";
      readonly callId: string;
      readonly output: string;
      readonly failed?: boolean;
    }
  /** Known and no call: a message, a summary, a setting. */
  | { readonly kind: "passed" }
  /** A call of a tool that does not edit files. */
  | { readonly kind: "other-tool"; readonly name: string }
  | { readonly kind: "unknown"; readonly what: string };

export type TranscriptFormat = "codex" | "claude-code" | "responses" | "generic";

/** An edit call as its transcript has it, in our tools' shapes. Exactly one of `args` and `raw` is there. */
export interface FoundCall {
  readonly tool: string;
  readonly args?: unknown;
  /** Arguments that are no valid JSON. */
  readonly raw?: string;
  readonly callId?: string;
  readonly session?: string;
  readonly model?: string;
  readonly provider?: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
  /** Folder that relative paths were taken from. */
  readonly folder?: string;
  /** What the transcript itself says became of it. */
  readonly output?: string;
  readonly failed?: boolean;
  readonly status?: string;
}

/** What earlier lines said about all later ones. A reader may change it. */
export interface TranscriptState {
  session?: string;
  model?: string;
  provider?: string;
  folder?: string;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Items of one JSON object, or null when it is none of the format's lines. */
export type ItemReader = (value: JsonObject, state: TranscriptState) => readonly Item[] | null;

export const PASSED: readonly Item[] = [{ kind: "passed" }];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The given fields without those that are undefined. */
export function present<T extends object>(fields: {
  readonly [K in keyof T]: T[K] | undefined;
}): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Text of an output, which formats give as a string, as parts with `text`, or as an object around one of them. */
export function outputText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return value.map((part) => (isObject(part) ? outputText(part["text"]) : "")).join("");
  if (!isObject(value)) return "";
  return outputText(value["output"] ?? value["content"] ?? value["text"] ?? "");
}

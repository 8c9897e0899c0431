import { findAmbiguity, findCaseVariant, stringEnd, walkKeys, type KeyTree } from "./jsonTokens.ts";
import { isRecord, own, refused } from "./editFilesShape.ts";
import type { Arrived, Decoded } from "./tool.ts";

/** Arguments above this are refused before they are parsed. */
export const ARGUMENT_UNITS_MAX = 50_000_000;

/**
 * From what arrived to canonical arguments. A list that came as a JSON string is taken for the list when it parses
 * as it is; its text is put in place of the string, so that what follows sees every key as it was written.
 */
export function decodeEditFiles(arrived: Arrived, tree: KeyTree): Decoded {
  return arrived.raw === undefined
    ? decodeInput(arrived.input, tree)
    : decodeRaw(arrived.raw, tree);
}

function decodeRaw(raw: string, tree: KeyTree): Decoded {
  if (raw.length > ARGUMENT_UNITS_MAX)
    return {
      kind: "refused",
      text: refused(
        `Send fewer or smaller edits in one call: the arguments have ${raw.length} characters, the limit is ${ARGUMENT_UNITS_MAX}`,
      ).text,
      raw,
    };
  const sent = parse(raw);
  if (sent === undefined)
    return {
      kind: "refused",
      text: refused(
        "This tool call was not executed because its input is not valid JSON. Retry with a well-formed JSON object matching the tool schema.",
      ).text,
      raw,
    };
  const text = isRecord(sent.value) ? withListForString(raw) : null;
  const args = text === null ? sent.value : parse(text)?.value;
  const reason = findAmbiguity(text ?? raw, tree);
  return reason === null
    ? { kind: "args", args, stringDecoded: text !== null }
    : { kind: "refused", text: ambiguous(reason), args, stringDecoded: text !== null };
}

/** Of parsed input repeated keys are gone already, except inside a list that came as a string. */
function decodeInput(input: unknown, tree: KeyTree): Decoded {
  const list = isRecord(input) ? own(input, "edits") : null;
  const decoded =
    typeof list === "string" && list.length <= ARGUMENT_UNITS_MAX ? listOf(list) : null;
  const args = decoded === null || !isRecord(input) ? input : { ...input, edits: decoded };
  const inner = tree.properties?.["edits"] ?? {};
  const reason =
    findCaseVariant(args, tree) ??
    (decoded !== null && typeof list === "string" ? findAmbiguity(list, inner, "edits") : null);
  return reason === null
    ? { kind: "args", args, stringDecoded: decoded !== null }
    : { kind: "refused", text: ambiguous(reason), args, stringDecoded: decoded !== null };
}

function ambiguous(reason: string): string {
  return refused(
    `This tool call was not executed because its input is ambiguous: ${reason}. Retry with the exact property names from the tool schema, each key used once.`,
  ).text;
}

/** The text with the string value of its one `edits` key replaced by what the string holds; null where it may not. */
function withListForString(raw: string): string | null {
  let count = 0;
  let from = 0;
  walkKeys(raw, undefined, ({ key, depth, valueFrom, earlier }) => {
    if (depth > 0 || key !== "edits") return undefined;
    count++;
    from = valueFrom;
    return earlier.has("edits") ? "stop" : undefined;
  });
  if (count !== 1 || raw[from] !== '"') return null;
  const to = stringEnd(raw, from);
  const content = parse(raw.slice(from, to))?.value;
  return typeof content === "string" && listOf(content) !== null
    ? raw.slice(0, from) + content + raw.slice(to)
    : null;
}

/** The list of objects that a text is, with nothing around it. */
function listOf(text: string): readonly unknown[] | null {
  const value = parse(text)?.value;
  return Array.isArray(value) && value.every((item) => isRecord(item)) ? value : null;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // The parser's only word for "not JSON"; there is no other way to ask it.
    return undefined;
  }
}

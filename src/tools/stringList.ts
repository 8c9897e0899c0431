import { isObject } from "./fileArguments.ts";

export interface StringList {
  readonly list: readonly unknown[];
  /** The JSON that was read. */
  readonly text: string;
  /** Whether the list stood in an object of its own. */
  readonly wrapped: boolean;
}

/**
 * A list of objects that arrived as a string. Taken only where the string is JSON for it: the list itself, or an
 * object that holds nothing but the list under its own name. A line break or tab inside a JSON string may stand there
 * as it is, as some models send it; it can mean nothing else. Null for everything else: nothing is guessed.
 */
export function listFromString(sent: string, name: string): StringList | null {
  for (const text of [sent, escapedInStrings(sent)]) {
    const value = parsed(text);
    const wrapped = isObject(value) && Object.keys(value).length === 1;
    const list = wrapped ? value[name] : value;
    if (Array.isArray(list) && list.every(isObject)) return { list, text, wrapped };
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Line breaks and tabs inside string literals as JSON wants them. One pass, whatever the text. */
function escapedInStrings(text: string): string {
  const parts: string[] = [];
  let done = 0;
  let isInside = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charAt(i);
    if (unit === '"') isInside = !isInside;
    else if (isInside && unit === "\\") i++;
    else if (isInside && unit in ESCAPES) {
      parts.push(text.slice(done, i), ESCAPES[unit] ?? unit);
      done = i + 1;
    }
  }
  parts.push(text.slice(done));
  return parts.join("");
}

import { isObject } from "./fileArguments.ts";

/**
 * A list of objects that arrived as a string. Taken only where the string is JSON for it: the list itself, or an
 * object that holds nothing but the list under its own name. A line break or tab inside a JSON string may stand there
 * as it is, as some models send it; it can mean nothing else. Null for everything else: nothing is guessed.
 */
export function listFromString(text: string, name: string): readonly unknown[] | null {
  const value = parsed(text) ?? parsed(escapedInStrings(text));
  const list = isObject(value) && Object.keys(value).length === 1 ? value[name] : value;
  return Array.isArray(list) && list.every(isObject) ? list : null;
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

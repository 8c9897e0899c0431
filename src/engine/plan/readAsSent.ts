import { cleanInvisible } from "../text/invisible.ts";
import { minimalSplices } from "../text/minimalSplices.ts";
import { sumOf } from "./cleanText.ts";
import { adapted, type FileView } from "./findString.ts";
import type { CleanReplacement, Replacement } from "./planReplace.ts";

/**
 * The arguments as they are meant for this file. Invisible characters are leaked by models, but some texts are full of
 * them: Persian is written with U+200C, and a file may hold a soft hyphen that an edit is to remove. So where the file
 * has old text exactly as sent, that is the text, and only what new text brings in is cleaned.
 * Law: with nothing to clean in old text this is `cleaned`.
 */
export function readAsSent(
  view: FileView,
  sent: Replacement,
  cleaned: CleanReplacement,
): CleanReplacement {
  if (sent.oldString === cleaned.oldString) return cleaned;
  const { oldString } = adapted(view, sent);
  if (!view.forText(oldString).text.includes(oldString)) return cleaned;
  const parts: string[] = [];
  const removed = [];
  let done = 0;
  for (const { from, to, insert } of minimalSplices(0, sent.oldString, sent.newString)) {
    const kept = cleanInvisible(insert, { floatingMarks: false });
    parts.push(sent.oldString.slice(done, from), kept.text);
    removed.push(kept.removed);
    done = to;
  }
  parts.push(sent.oldString.slice(done));
  return { ...sent, newString: parts.join(""), removed: sumOf(removed) };
}

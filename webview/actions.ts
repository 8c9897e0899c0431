import type { CallCard, FileCard } from "../src/protocol/cards.ts";
import type { ToHost } from "../src/protocol/messages.ts";
import type { Action as StateAction } from "./state.ts";
import type { Word } from "./strings.ts";

/** What an action does: asks the host (and may change the view besides), or changes the view. */
export type Effect =
  | { readonly to: "host"; readonly message: ToHost; readonly then?: StateAction }
  | { readonly to: "view"; readonly action: StateAction };

/** One thing a person can do with a subject. Adding one is a row in a table. */
export interface ActionOf<Subject> {
  readonly id: string;
  /** On the button; `menuWord`, if there is one, in the menu, where there is room. */
  readonly word: Word;
  readonly menuWord?: Word;
  readonly icon: string;
  /** The key that does it while the row has the focus. What cannot be taken back has none. */
  readonly key?: string;
  /** `bar`: a button at the right edge as well; `main`: the one that stands out. */
  readonly shown: "main" | "bar" | "menu";
  readonly offered: (subject: Subject) => boolean;
  readonly effect: (subject: Subject) => Effect;
}

export interface FileSubject {
  readonly call: CallCard;
  readonly file: FileCard;
}

export interface HunkSubject extends FileSubject {
  /** Index of the hunk in the file's diff, from 0. */
  readonly hunk: number;
}

export function ask(message: ToHost, then?: StateAction): Effect {
  return then === undefined ? { to: "host", message } : { to: "host", message, then };
}

/** How a message names a file. */
export function placeOf({ call, file }: FileSubject): { callId: string; fileKey: string } {
  return { callId: call.id, fileKey: file.key };
}

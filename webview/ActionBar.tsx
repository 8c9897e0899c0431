import type { MouseEvent, ReactNode } from "react";
import type { ActionOf } from "./actions.ts";
import { Icon } from "./parts.tsx";
import { perform, useView, useWords } from "./store.ts";
import type { Word, Words } from "./strings.ts";

export interface ActionButtonsProps<Subject> {
  readonly table: readonly ActionOf<Subject>[];
  readonly subject: Subject;
  readonly tabIndex: 0 | -1;
  /** Said instead of the table's word for one action, where the subject knows better. */
  readonly wordFor?: (id: string) => string | undefined;
}

/** The actions of a table that are offered now: words where there is room, icons where there is not. */
export function ActionButtons<Subject>(props: ActionButtonsProps<Subject>): ReactNode {
  const { table, subject, tabIndex, wordFor } = props;
  const view = useView();
  const words = useWords();
  const shown = table.filter((action) => action.shown !== "menu" && action.offered(subject));
  return shown.map((action) => {
    const word = wordFor?.(action.id) ?? words.say(action.word);
    return (
      <button
        key={action.id}
        type="button"
        className={action.shown === "main" ? "act main" : "act"}
        tabIndex={tabIndex}
        title={withKey(word, action.key)}
        aria-keyshortcuts={action.key}
        onClick={() => perform(view, action.effect(subject))}
      >
        <Icon name={action.icon} />
        <span className="act-word">{word}</span>
      </button>
    );
  });
}

export interface ActionBarProps<Subject> extends ActionButtonsProps<Subject> {
  /** Key of the row the bar belongs to. */
  readonly row: string;
}

/** The actions at the right edge of a row, and `⋯` for all that are not there. */
export function ActionBar<Subject>({ row, ...buttons }: ActionBarProps<Subject>): ReactNode {
  const { table, subject, tabIndex } = buttons;
  const hasMenu = table.some((action) => action.offered(subject));
  return (
    <span className="actions">
      <ActionButtons {...buttons} />
      {hasMenu && <MoreButton row={row} tabIndex={tabIndex} />}
    </span>
  );
}

interface MoreButtonProps {
  readonly row: string;
  readonly tabIndex: 0 | -1;
}

function MoreButton({ row, tabIndex }: MoreButtonProps): ReactNode {
  const { store } = useView();
  const words = useWords();
  const open = (event: MouseEvent<HTMLButtonElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    store.dispatch({ kind: "menu", at: { row, x: box.right, y: box.bottom } });
  };
  const word: Word = "action.more";
  return (
    <button
      type="button"
      className="act icon-only"
      tabIndex={tabIndex}
      title={withKey(words.say(word), ".")}
      aria-label={words.say(word)}
      aria-haspopup="menu"
      onClick={open}
    >
      <Icon name="ellipsis" />
    </button>
  );
}

/** The word with its key, as editors write it: "Diff (D)". */
export function withKey(word: string, key: string | undefined): string {
  return key === undefined ? word : `${word} (${key})`;
}

export function menuWordOf<Subject>(action: ActionOf<Subject>, words: Words): string {
  return words.say(action.menuWord ?? action.word);
}

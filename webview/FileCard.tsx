import { memo, type ReactNode } from "react";
import type { CallCard, FileCard as File } from "../src/protocol/cards.ts";
import { ActionBar, withKey } from "./ActionBar.tsx";
import type { FileSubject } from "./actions.ts";
import { DiffView } from "./DiffView.tsx";
import { ErrorBlock } from "./ErrorBlock.tsx";
import { FILE_ACTIONS, openEffect } from "./fileActions.ts";
import { editsLine, notesOf, pillOfFile, signOf } from "./fileWords.ts";
import { Counts, Icon, useIsTabRow, useRowTarget } from "./parts.tsx";
import { Requested } from "./Requested.tsx";
import { hasBody, isFileFolded, partKey, rowKey, showsDiff } from "./rows.ts";
import { callOf } from "./state.ts";
import { perform, useSelect, useView, useWords } from "./store.ts";
import { timeOf } from "./titles.ts";

export interface FileCardProps {
  readonly call: CallCard;
  readonly file: File;
}

/** One file of a call: its row, and below it what became of it. */
export const FileCard = memo(function FileCard({ call, file }: FileCardProps): ReactNode {
  const key = rowKey({ callId: call.id, fileKey: file.key });
  const folded = useSelect((state) => isFileFolded(call, file, state.ui.folds));
  const isTab = useIsTabRow(key);
  const tabIndex = isTab ? 0 : -1;
  return (
    <li className="file" data-testid="file-card" data-state={file.status ?? file.phase}>
      <FileRow call={call} file={file} row={key} folded={folded} tabIndex={tabIndex} />
      {!folded && hasBody(file) && <FileBody call={call} file={file} tabIndex={tabIndex} />}
    </li>
  );
});

interface FileRowProps extends FileCardProps {
  readonly row: string;
  readonly folded: boolean;
  readonly tabIndex: 0 | -1;
}

function FileRow({ call, file, row, folded, tabIndex }: FileRowProps): ReactNode {
  const view = useView();
  const words = useWords();
  const sign = signOf(call, file);
  const subject: FileSubject = { call, file };
  const edits = editsLine(file, words);
  return (
    <div className="row file-row" data-row={row}>
      <FoldButton
        row={row}
        folded={folded}
        name={file.name}
        shown={hasBody(file)}
        tabIndex={tabIndex}
      />
      <span className={`sign ${sign.look}`} role="img" aria-label={words.say(sign.word)}>
        <span aria-hidden="true">{sign.text}</span>
      </span>
      <h3 className="path">
        <PathButton
          file={file}
          row={row}
          tabIndex={tabIndex}
          onOpen={() => perform(view, openEffect(subject))}
        />
      </h3>
      <FileState call={call} file={file} />
      {edits !== null && <span className="edits mono in-row">{edits}</span>}
      <ActionBar
        table={FILE_ACTIONS}
        subject={subject}
        row={row}
        tabIndex={tabIndex}
        wordFor={useGoToWord(file)}
      />
    </div>
  );
}

/** "Go to call 12:03", where the call is here and its time is known. */
function useGoToWord({ appliedBy }: File): (id: string) => string | undefined {
  const { now, language } = useView();
  const words = useWords();
  const startedAt = useSelect((state) =>
    appliedBy === undefined ? undefined : callOf(state, appliedBy)?.startedAt,
  );
  return (id) =>
    id === "goToCall" && startedAt !== undefined
      ? words.say("action.goToCallAt", { time: timeOf(startedAt, now(), language, false) })
      : undefined;
}

interface FoldButtonProps {
  readonly row: string;
  readonly folded: boolean;
  readonly name: string;
  readonly shown: boolean;
  readonly tabIndex: 0 | -1;
}

function FoldButton({ row, folded, name, shown, tabIndex }: FoldButtonProps): ReactNode {
  const { store } = useView();
  const words = useWords();
  if (!shown) return <span className="fold" />;
  const word = words.say(folded ? "action.unfold" : "action.fold");
  return (
    <button
      type="button"
      className="fold"
      tabIndex={tabIndex}
      title={withKey(word, folded ? "→" : "←")}
      aria-label={`${word} ${name}`}
      aria-expanded={!folded}
      onClick={() => store.dispatch({ kind: "fold", keys: [row], folded: !folded })}
    >
      <Icon name={folded ? "chevron-right" : "chevron-down"} />
    </button>
  );
}

interface PathButtonProps {
  readonly file: File;
  readonly row: string;
  readonly tabIndex: 0 | -1;
  readonly onOpen: () => void;
}

/** The folder gives way first, from its start; the name never does. */
function PathButton({ file, row, tabIndex, onOpen }: PathButtonProps): ReactNode {
  const target = useRowTarget(row);
  return (
    <button
      type="button"
      ref={target}
      className="path-button"
      tabIndex={tabIndex}
      title={file.folder + file.name}
      aria-label={file.folder + file.name}
      onClick={onOpen}
    >
      {file.folder !== "" && (
        <span className="folder">
          <bdi dir="ltr">{file.folder}</bdi>
        </span>
      )}
      <bdi className="name" dir="ltr">
        {file.name}
      </bdi>
    </button>
  );
}

function FileState({ call, file }: FileCardProps): ReactNode {
  const words = useWords();
  const { phase, status, diff } = file;
  if (phase === "waiting" && call.badges.includes("imported"))
    return <span className="dim">{words.say("file.notRun")}</span>;
  if (phase === "waiting") return <span className="dim">{words.say("file.waiting")}</span>;
  if (phase === "running") return <span className="dim">{words.say("file.running")}</span>;
  if (status === "already_applied")
    return <span className="pill info">{words.say("file.already")}</span>;
  const counts = diff !== undefined && showsDiff(file) && <Counts {...diff} />;
  const pill = pillOfFile(call, file);
  return (
    <>
      {pill !== null && <span className={`pill ${pill.look}`}>{words.say(pill.word)}</span>}
      {counts}
    </>
  );
}

interface FileBodyProps extends FileCardProps {
  readonly tabIndex: 0 | -1;
}

function FileBody({ call, file, tabIndex }: FileBodyProps): ReactNode {
  const words = useWords();
  const edits = editsLine(file, words);
  const notes = notesOf(file, words);
  const row = { callId: call.id, fileKey: file.key };
  const open = file.phase !== "done" && !call.badges.includes("imported");
  return (
    <>
      <div className="body">
        {edits !== null && <p className="edits mono in-body">{edits}</p>}
        {file.status !== "applied" &&
          file.operations?.map((line) => (
            <p className="mono dim" key={line}>
              {line}
            </p>
          ))}
        {file.error !== undefined && <ErrorBlock error={file.error} />}
        {notes.map((note) => (
          <p className="note" key={note}>
            {note}
          </p>
        ))}
        {file.requested !== undefined && file.status !== "applied" && (
          <Requested
            text={file.requested}
            word={open ? requestedWord(call) : "requested.notApplied"}
            part={partKey(row, "requested")}
            openAtFirst={open}
            tabIndex={tabIndex}
          />
        )}
      </div>
      <FileDiff call={call} file={file} tabIndex={tabIndex} />
    </>
  );
}

function requestedWord({ tool }: CallCard): "requested.patch" | "requested.edits" {
  return tool === "apply_patch" ? "requested.patch" : "requested.edits";
}

function FileDiff({ call, file, tabIndex }: FileBodyProps): ReactNode {
  const words = useWords();
  const { diff, phase, name } = file;
  if (diff === undefined || !showsDiff(file) || diff.hunks.length === 0) return null;
  const proposed = phase === "proposed";
  return (
    <DiffView
      call={call}
      file={file}
      diff={diff}
      label={words.say(proposed ? "diff.proposed" : "diff.label", { name })}
      testId={proposed ? "proposed-diff" : "edit-file-diff"}
      tabIndex={tabIndex}
    />
  );
}

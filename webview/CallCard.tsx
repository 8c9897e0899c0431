import { memo, useId, type ReactNode } from "react";
import type { CallCard as Call } from "../src/protocol/cards.ts";
import { ActionBar } from "./ActionBar.tsx";
import { CALL_ACTIONS } from "./callActions.ts";
import { ErrorBlock } from "./ErrorBlock.tsx";
import { FileCard } from "./FileCard.tsx";
import { Counts, Icon, useIsTabRow, useRowTarget } from "./parts.tsx";
import { Requested } from "./Requested.tsx";
import { partKey, rowKey } from "./rows.ts";
import { useSelect, useView, useWords } from "./store.ts";
import { detailOf, durationOf, isRunning, pillOf, timeOf, titleOf } from "./titles.ts";

/** One call: what it did in words, then its files. */
export const CallCard = memo(function CallCard({ call }: { readonly call: Call }): ReactNode {
  const key = rowKey({ callId: call.id });
  const folded = useSelect((state) => state.ui.folds[key] ?? false);
  const titleId = useId();
  return (
    <article
      className="call"
      data-testid="call-card"
      data-phase={call.phase}
      aria-labelledby={titleId}
    >
      <CallHeader call={call} row={key} folded={folded} titleId={titleId} />
      <Progress call={call} titleId={titleId} />
      {!folded && <CallBody call={call} row={key} />}
    </article>
  );
});

interface CallHeaderProps {
  readonly call: Call;
  readonly row: string;
  readonly folded: boolean;
  readonly titleId: string;
}

function CallHeader({ call, row, folded, titleId }: CallHeaderProps): ReactNode {
  const { store } = useView();
  const words = useWords();
  const isTab = useIsTabRow(row);
  const target = useRowTarget(row);
  return (
    <header className={folded ? "row call-row folded" : "row call-row"} data-row={row}>
      <div className="call-line">
        <h2 className="title" data-testid="call-title" id={titleId}>
          <button
            type="button"
            ref={target}
            className="title-button"
            tabIndex={isTab ? 0 : -1}
            aria-expanded={!folded}
            onClick={() => store.dispatch({ kind: "fold", keys: [row], folded: !folded })}
          >
            <Icon name={folded ? "chevron-right" : "chevron-down"} />
            <bdi>{titleOf(call, words)}</bdi>
          </button>
        </h2>
        <Pills call={call} />
        <span className="at-end">
          <Counts added={call.added} removed={call.removed} />
          <ActionBar table={CALL_ACTIONS} subject={call} row={row} tabIndex={isTab ? 0 : -1} />
        </span>
      </div>
      <Meta call={call} />
    </header>
  );
}

const PILL_LOOKS = {
  running: "info",
  partial: "warning",
  waiting: "info",
  failed: "wrong",
} as const;

function Pills({ call }: { readonly call: Call }): ReactNode {
  const words = useWords();
  const pill = pillOf(call);
  const detail = detailOf(call, words);
  return (
    <>
      {pill !== null && (
        <span className={`pill ${PILL_LOOKS[pill]}`}>{words.say(`pill.${pill}`)}</span>
      )}
      {detail !== null && <span className="dim">{detail}</span>}
      {call.badges.map((badge) => (
        <span className="badge" key={badge}>
          {words.say(`badge.${badge}`)}
        </span>
      ))}
    </>
  );
}

/** Tool, model, source, time and duration, dim. */
function Meta({ call }: { readonly call: Call }): ReactNode {
  const { now, language } = useView();
  const words = useWords();
  const { badges, endedAt, startedAt } = call;
  // How long a call of a transcript took somewhere else is not known here.
  const ran = !badges.includes("imported");
  return (
    <div className="meta">
      <span className="mono">{call.tool}</span>
      {call.model !== undefined && <span>{call.model}</span>}
      <span>{words.name("source", call.source)}</span>
      <time dateTime={new Date(startedAt).toISOString()}>{timeOf(startedAt, now(), language)}</time>
      {ran && endedAt !== undefined && <span>{durationOf(endedAt - startedAt, words)}</span>}
    </div>
  );
}

interface ProgressProps {
  readonly call: Call;
  readonly titleId: string;
}

function Progress({ call, titleId }: ProgressProps): ReactNode {
  if (!isRunning(call) || call.phase === "queued" || call.phase === "approval") return null;
  const { done, total } = call.progress;
  if (call.phase !== "applying" || total === 0)
    return <div className="progress unknown" role="progressbar" aria-labelledby={titleId} />;
  return (
    <div
      className="progress"
      role="progressbar"
      aria-labelledby={titleId}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
    >
      <div className="progress-done" style={{ width: `${(100 * done) / total}%` }} />
    </div>
  );
}

/** Something to say of the call that belongs to none of its files. */
function hasOwnWords({ error, requested, userMessage, approval }: Call): boolean {
  return [error, requested, userMessage, approval?.reason].some((one) => one !== undefined);
}

interface CallBodyProps {
  readonly call: Call;
  readonly row: string;
}

function CallBody({ call, row }: CallBodyProps): ReactNode {
  const isTab = useIsTabRow(row);
  const running = isRunning(call);
  return (
    <>
      {hasOwnWords(call) && (
        <div className="body of-call">
          {call.userMessage !== undefined && <p className="note">{call.userMessage}</p>}
          {call.approval?.reason !== undefined && <p className="note">{call.approval.reason}</p>}
          {call.error !== undefined && <ErrorBlock error={call.error} />}
          {call.requested !== undefined && (
            <Requested
              text={call.requested}
              word={running ? "requested.patch" : "requested.notApplied"}
              part={partKey({ callId: call.id }, "requested")}
              openAtFirst={running}
              tabIndex={isTab ? 0 : -1}
            />
          )}
        </div>
      )}
      {0 < call.files.length && (
        <ul className="files">
          {call.files.map((file) => (
            <FileCard key={file.key} call={call} file={file} />
          ))}
        </ul>
      )}
    </>
  );
}

import * as vscode from "vscode";
import type { CallRecord } from "../../app/record.ts";
import type { CallLog } from "../../app/callLog.ts";
import type { CallStore } from "../../app/ports.ts";
import { createStaleCards } from "../../app/staleCards.ts";
import { PROTOCOL_VERSION, type CallCard } from "../../protocol/cards.ts";
import { ToHost, type ToView } from "../../protocol/messages.ts";

/** Calls sent at first and with each "load older". */
const PAGE_CALLS = 100;
/** A call that takes steps faster than this (ms) is sent once for several of them. */
const DELTA_MS_MIN = 40;

export interface ReviewContext {
  readonly log: CallLog;
  readonly store: CallStore;
  /** The card of a call, with what was reviewed and taken back since. */
  readonly cardOf: (call: CallRecord) => Promise<CallCard>;
  readonly act: (message: ToHost) => Promise<void>;
  /** Told when the store has something else to say. Gives back the way to stop. */
  readonly onNotice: (listener: () => void) => () => void;
  /** Sentences about settings that could not be read, for the panel's notice. */
  readonly problems: () => readonly string[];
  readonly onSettings: vscode.Event<void>;
  readonly logBug: (error: unknown) => void;
}

/** One view's end of the channel: a snapshot whenever the view says it is ready, numbered deltas after that. */
export function serveReview(webview: vscode.Webview, context: ReviewContext): vscode.Disposable {
  const { log, store, logBug } = context;
  const stale = createStaleCards();
  let seq = 0;
  let ready = false;
  let oldest: string | undefined;
  const pending = new Map<string, CallRecord>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const post = (message: ToView): void => {
    void webview.postMessage(message);
  };
  const cardOf = async (call: CallRecord): Promise<CallCard> => {
    const card = await context.cardOf(call);
    stale.sent(call, card);
    return card;
  };
  const flush = async (): Promise<void> => {
    const calls = [...pending.values()];
    pending.clear();
    try {
      const cards = await Promise.all(calls.map(cardOf));
      for (const call of cards) post({ kind: "call", seq: ++seq, call });
    } finally {
      // Also after a failure: one card that cannot be drawn must not stop all that come after it.
      timer = undefined;
      if (pending.size > 0) schedule();
    }
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => void flush().catch(logBug), DELTA_MS_MIN);
  };
  const forget = log.onTell((call) => {
    pending.set(call.id, call);
    if (ready) schedule();
    void sendAgain(stale.after(call)).catch(logBug);
  });
  const sendAgain = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      const call = await log.get(id);
      if (call !== undefined && !pending.has(id)) pending.set(id, call);
    }
    if (ready && pending.size > 0) schedule();
  };
  const sendSnapshot = async (): Promise<void> => {
    ready = false;
    const [calls, stored] = await Promise.all([log.recent({ limit: PAGE_CALLS }), store.count()]);
    const cards = await Promise.all(calls.map(cardOf));
    oldest = calls.at(-1)?.id;
    const storeNotice = noticeOf(context);
    post({
      kind: "snapshot",
      version: PROTOCOL_VERSION,
      seq,
      calls: cards,
      olderCount: Math.max(0, stored - calls.length),
      trusted: vscode.workspace.isTrusted,
      session: calls[0]?.session ?? null,
      ...(storeNotice === null ? {} : { storeNotice }),
      strings: stringsOf(),
    });
    ready = true;
    // What happened while the store was asked is in `pending`: a call card replaces the older one.
    if (pending.size > 0) schedule();
  };
  const forgetNotice = context.onNotice(() => {
    if (ready) post({ kind: "notice", seq: ++seq, storeNotice: noticeOf(context) });
  });
  const sendOlder = async (): Promise<void> => {
    if (oldest === undefined) return;
    const calls = await log.recent({ limit: PAGE_CALLS, before: oldest });
    oldest = calls.at(-1)?.id ?? oldest;
    const cards = await Promise.all(calls.map(cardOf));
    const olderCount =
      calls.length < PAGE_CALLS ? 0 : (await log.recent({ limit: 1, before: oldest })).length;
    post({ kind: "older", seq: ++seq, calls: cards, olderCount });
  };
  const listening = webview.onDidReceiveMessage((raw: unknown) => {
    const message = ToHost.safeParse(raw);
    if (!message.success)
      return logBug(new Error(`unknown message from the view: ${message.error.message}`));
    const { data } = message;
    const done =
      data.kind === "ready"
        ? sendSnapshot()
        : data.kind === "loadOlder"
          ? sendOlder()
          : context.act(data);
    done.catch(logBug);
  });
  const again = (): void => void sendSnapshot().catch(logBug);
  const forgetStore = log.onStoreChanged(() => {
    if (ready) again();
  });
  const trust = vscode.workspace.onDidGrantWorkspaceTrust(again);
  let told = context.problems().join("\n");
  const settings = context.onSettings(() => {
    const now = context.problems().join("\n");
    if (now !== told) again();
    told = now;
  });
  return vscode.Disposable.from(listening, trust, settings, {
    dispose() {
      forget();
      forgetNotice();
      forgetStore();
      clearTimeout(timer);
    },
  });
}

function noticeOf({ store, problems }: ReviewContext): string | null {
  return [store.notice(), ...problems()].filter((one) => one !== null).join(" ") || null;
}

/** Translations of the view's words, keyed by their English text. */
function stringsOf(): Record<string, string> {
  const bundle: Readonly<Record<string, unknown>> = vscode.l10n.bundle ?? {};
  return Object.fromEntries(
    Object.entries(bundle).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

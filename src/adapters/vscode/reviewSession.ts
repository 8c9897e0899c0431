import * as vscode from "vscode";
import type { CallRecord } from "../../app/record.ts";
import type { CallLog } from "../../app/callLog.ts";
import type { CallStore } from "../../app/ports.ts";
import { createReviewFeed } from "../../app/reviewFeed.ts";
import type { CallCard } from "../../protocol/cards.ts";
import { ToHost } from "../../protocol/messages.ts";

export interface ReviewContext {
  readonly log: CallLog;
  readonly store: CallStore;
  /** The cards of calls, in their order, with what was reviewed and taken back since. */
  readonly cardsOf: (calls: readonly CallRecord[]) => Promise<readonly CallCard[]>;
  readonly act: (message: ToHost) => Promise<void>;
  /** Told when the store has something else to say. Gives back the way to stop. */
  readonly onNotice: (listener: () => void) => () => void;
  /** Sentences about settings that could not be read, for the panel's notice. */
  readonly problems: () => readonly string[];
  readonly onSettings: vscode.Event<void>;
  readonly logBug: (error: unknown) => void;
}

/** One view's end of the channel. */
export function serveReview(webview: vscode.Webview, context: ReviewContext): vscode.Disposable {
  const { log, store, cardsOf, logBug } = context;
  const feed = createReviewFeed({
    log,
    store,
    cardsOf,
    post: (message) => void webview.postMessage(message),
    about: () => {
      const storeNotice = noticeOf(context);
      return {
        trusted: vscode.workspace.isTrusted,
        ...(storeNotice === null ? {} : { storeNotice }),
        strings: stringsOf(),
      };
    },
    after(ms, then) {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    pause: () => new Promise((done) => setImmediate(done)),
    logBug,
  });
  const answer = (message: ToHost): Promise<void> => {
    switch (message.kind) {
      case "ready":
        return feed.ready();
      case "loadOlder":
        return feed.loadOlder();
      case "search":
        return feed.search(message);
      default:
        return context.act(message);
    }
  };
  const listening = webview.onDidReceiveMessage((raw: unknown) => {
    const message = ToHost.safeParse(raw);
    if (!message.success)
      return logBug(new Error(`unknown message from the view: ${message.error.message}`));
    answer(message.data).catch(logBug);
  });
  const forgetNotice = context.onNotice(() => feed.notice(noticeOf(context)));
  const again = (): void => void feed.ready().catch(logBug);
  const trust = vscode.workspace.onDidGrantWorkspaceTrust(again);
  let told = context.problems().join("\n");
  const settings = context.onSettings(() => {
    const now = context.problems().join("\n");
    if (now !== told) again();
    told = now;
  });
  return vscode.Disposable.from(listening, trust, settings, feed, {
    dispose() {
      forgetNotice();
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

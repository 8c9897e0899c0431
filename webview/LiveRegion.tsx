import { useEffect, useState, type ReactNode } from "react";
import type { CallCard } from "../src/protocol/cards.ts";
import { isRunning, titleOf } from "./titles.ts";
import { useView, useWords } from "./store.ts";
import type { HostState } from "./state.ts";
import type { Words } from "./strings.ts";

/** Calls that end within this time are told of together, so that a busy agent does not talk over the reader. */
const GATHER_MS = 1_500;

/** Says politely what ended or waits for a person. Silent about what a snapshot brings, which is no news. */
export function LiveRegion(): ReactNode {
  const { store } = useView();
  const words = useWords();
  const [text, setText] = useState("");
  useEffect(() => {
    let before = store.get().host;
    let news: readonly CallCard[] = [];
    let timer: ReturnType<typeof setTimeout> | null = null;
    const tell = (): void => {
      timer = null;
      setText(sentence(news, words));
      news = [];
    };
    const stop = store.subscribe(() => {
      const now = store.get().host;
      if (now === before) return;
      const fresh = newsBetween(before, now);
      before = now;
      if (fresh.length === 0) return;
      const ids = new Set(fresh.map(({ id }) => id));
      news = [...fresh, ...news.filter(({ id }) => !ids.has(id))];
      timer ??= setTimeout(tell, GATHER_MS);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [store, words]);
  return (
    <div className="unseen" role="status" aria-live="polite" data-testid="live-news">
      {text}
    </div>
  );
}

/** Calls that ended, or began to wait for a person, between two states; newest first. */
export function newsBetween(before: HostState, now: HostState): readonly CallCard[] {
  if (before.snapshots !== now.snapshots) return [];
  const phases = new Map(before.calls.map(({ id, phase }) => [id, phase]));
  // Older calls that are loaded come in below known ones and are no news either.
  const oldest = before.calls.at(-1)?.startedAt ?? -Infinity;
  return now.calls.filter((call) => {
    const speaks = !isRunning(call) || call.phase === "approval";
    return speaks && oldest <= call.startedAt && phases.get(call.id) !== call.phase;
  });
}

function sentence(news: readonly CallCard[], words: Words): string {
  const [newest] = news;
  if (newest === undefined) return "";
  const text = words.count("live.finished", news.length, { title: titleOf(newest, words) });
  const rejected = news
    .flatMap(({ files }) => files)
    .filter(({ status }) => status === "rejected").length;
  return rejected === 0 ? text : words.count("live.withRejected", rejected, { text });
}

import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { CallCard } from "../../../src/protocol/cards.ts";
import type { ToHost, ToView } from "../../../src/protocol/messages.ts";
import { connect, type HostWindow } from "../../../webview/channel.ts";
import { Panel } from "../../../webview/Panel.tsx";
import { createRowFocus } from "../../../webview/rowFocus.ts";
import { stateFrom } from "../../../webview/saved.ts";
import { createStore, type Store } from "../../../webview/store.ts";
import { NOW, SESSION } from "../../screens/build.ts";

export type Snapshot = Extract<ToView, { kind: "snapshot" }>;

/** The panel with a host on the other end that only writes down what it is asked. Reads as a story. */
export interface Driver {
  readonly store: Store;
  readonly posted: ToHost[];
  /** What the page would find again after a rebuild. */
  saved(): unknown;
  receive(message: unknown): Driver;
  /** Sends calls as a whole snapshot; the first is the newest. */
  show(calls: readonly CallCard[], parts?: Partial<Snapshot>): Driver;
  /** Sends one call as the next delta. */
  arrive(call: CallCard): Driver;
  /** Presses a key where the focus is. */
  press(...keys: readonly string[]): Driver;
  click(name: string | RegExp): Driver;
  scrollTo(top: number): Driver;
  /** The last message to the host. */
  asked(): ToHost | undefined;
  /** The row with the focus, in words. */
  focused(): string;
  titles(): readonly string[];
  all(testId: string): readonly HTMLElement[];
  leave(): void;
}

export function openPanel(saved?: unknown): Driver {
  standInForLayout();
  const posted: ToHost[] = [];
  const state = { saved };
  let take: (data: unknown) => void = () => undefined;
  const host: HostWindow = {
    post: (message) => void posted.push(message),
    load: () => state.saved,
    save: (next) => {
      state.saved = next;
    },
    listen: (listener) => {
      take = listener;
      return () => {
        take = () => undefined;
      };
    },
  };
  const store = createStore(stateFrom(host.load()));
  const view = {
    store,
    post: host.post,
    rowFocus: createRowFocus(),
    now: () => NOW,
    language: "en",
  };
  render(<Panel view={view} />);
  const disconnect = connect(store, host);
  let seq = 0;
  const driver: Driver = {
    store,
    posted,
    saved: () => state.saved,
    receive(message) {
      act(() => take(message));
      return driver;
    },
    show(calls, parts = {}) {
      seq = parts.seq ?? 1;
      return driver.receive(snapshotOf(calls, { seq, ...parts }));
    },
    arrive: (call) => driver.receive({ kind: "call", seq: ++seq, call }),
    press(...keys) {
      for (const key of keys) {
        const target = document.activeElement ?? document.body;
        const goesOn = fireEvent.keyDown(target, { key });
        // jsdom does not press a button for Enter by itself.
        if (key === "Enter" && goesOn && target instanceof HTMLButtonElement)
          fireEvent.click(target);
      }
      return driver;
    },
    click(name) {
      fireEvent.click(buttonNamed(name));
      return driver;
    },
    scrollTo(top) {
      const scroller = document.querySelector(".scroller") as HTMLElement;
      scroller.scrollTop = top;
      fireEvent.scroll(scroller);
      return driver;
    },
    asked: () => posted.at(-1),
    focused: () => nameOf(document.activeElement),
    titles: () => driver.all("call-title").map(({ textContent }) => textContent ?? ""),
    all: (testId) => screen.queryAllByTestId(testId),
    leave() {
      disconnect();
      cleanup();
    },
  };
  return driver;
}

/** Calls one second apart, the first the newest. */
export function snapshotOf(calls: readonly CallCard[], parts: Partial<Snapshot> = {}): Snapshot {
  return {
    kind: "snapshot",
    version: 1,
    seq: 1,
    calls: calls.map((call, i) => ({ ...call, startedAt: NOW - 1_000 * (i + 1) })),
    olderCount: 0,
    trusted: true,
    session: SESSION,
    strings: {},
    ...parts,
  };
}

/** The first button of that name. Asking by role is slow in jsdom, for each role needs all styles. */
function buttonNamed(name: string | RegExp): HTMLElement {
  const buttons = [...document.querySelectorAll<HTMLElement>("button")];
  const found = buttons.find((one) =>
    typeof name === "string" ? nameOf(one) === name : name.test(nameOf(one)),
  );
  if (found === undefined) throw new Error(`no button is called ${name}`);
  return found;
}

function nameOf(element: Element | null): string {
  if (element === null || element === document.body) return "nothing";
  return element.getAttribute("aria-label") ?? element.textContent ?? "";
}

/** The card of a file, by its name. */
export function fileCard(name: string): HTMLElement {
  const cards = screen.getAllByTestId("file-card");
  const card = cards.find((one) => one.querySelector(".name")?.textContent === name);
  if (card === undefined) throw new Error(`no card shows ${name}`);
  return card;
}

/** jsdom lays nothing out: the list gets a height to fill, and each call one, so that some are drawn. */
/** Lets the window become so wide that two columns have room, or narrow again. */
export function widen(isWide: boolean): void {
  width.isWide = isWide;
  act(() => {
    for (const tell of width.listeners) tell();
  });
}

const width = { isWide: false, listeners: new Set<() => void>() };

function standInForLayout(): void {
  width.isWide = false;
  width.listeners.clear();
  Object.defineProperty(window, "matchMedia", {
    configurable: true,
    value: () => ({
      get matches() {
        return width.isWide;
      },
      addEventListener: (_: "change", tell: () => void) => width.listeners.add(tell),
      removeEventListener: (_: "change", tell: () => void) => width.listeners.delete(tell),
    }),
  });
  const heightOf = (element: HTMLElement): number =>
    element.classList.contains("scroller") ? 400 : 80;
  for (const name of ["clientHeight", "offsetHeight"]) {
    Object.defineProperty(HTMLElement.prototype, name, {
      configurable: true,
      get(this: HTMLElement) {
        return heightOf(this);
      },
    });
  }
  Element.prototype.scrollIntoView = () => undefined;
}

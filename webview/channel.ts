import type { ToHost, ToView } from "../src/protocol/messages.ts";
import { sameSaved, savedOf } from "./saved.ts";
import { askWhileTyping } from "./searching.ts";
import type { Store } from "./store.ts";

/** The webview's side of VS Code, or of the gallery, or of a test. */
export interface HostWindow {
  readonly post: (message: ToHost) => void;
  readonly load: () => unknown;
  readonly save: (saved: unknown) => void;
  readonly listen: (take: (data: unknown) => void) => () => void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** VS Code gives its API out once per page, so this is called once, in `main`. */
export function vsCodeWindow(): HostWindow {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    load: () => api.getState(),
    save: (saved) => api.setState(saved),
    listen(take) {
      const listener = (event: MessageEvent<unknown>): void => take(event.data);
      window.addEventListener("message", listener);
      return () => window.removeEventListener("message", listener);
    },
  };
}

/**
 * Ties the store to the host: says `ready`, takes in what comes, and says `ready` again, once, whenever a delta
 * was missed. Keeps the person's view of the list across a rebuild of the page. Returns the way to let go.
 */
export function connect(store: Store, host: HostWindow): () => void {
  let asked = true;
  let saved = savedOf(store.get());
  const stopListening = host.listen((data) => {
    if (!isToView(data)) return;
    if (data.kind === "snapshot") asked = false;
    store.dispatch({ kind: "received", message: data });
    if (!store.get().host.stale || asked) return;
    asked = true;
    host.post({ kind: "ready" });
  });
  const stopSaving = store.subscribe(() => {
    const next = savedOf(store.get());
    if (sameSaved(saved, next)) return;
    saved = next;
    host.save(next);
  });
  const stopAsking = askWhileTyping(store, host.post);
  host.post({ kind: "ready" });
  return () => {
    stopListening();
    stopAsking();
    stopSaving();
  };
}

/** As a record, so that a new kind does not compile until it is let in here. */
const KINDS: Readonly<Record<ToView["kind"], true>> = {
  snapshot: true,
  call: true,
  notice: true,
  older: true,
  found: true,
  reveal: true,
};

/** Only the host can post into this page; what else comes along (developer tools, extensions) has no such kind. */
function isToView(data: unknown): data is ToView {
  return typeof data === "object" && data !== null && "kind" in data && isKind(data.kind);
}

function isKind(kind: unknown): boolean {
  return typeof kind === "string" && Object.hasOwn(KINDS, kind);
}

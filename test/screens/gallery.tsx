import "@vscode/codicons/dist/codicon.css";
import "../../webview/theme.css";
import { createRoot, type Root } from "react-dom/client";
import { flushSync } from "react-dom";
import { call, file, NOW } from "./build.ts";
import { SHOWS, SPEED_SHOWS } from "./shows.ts";
import { THEMES, themeNamed } from "./themes.ts";
import { Panel } from "../../webview/Panel.tsx";
import { createRowFocus } from "../../webview/rowFocus.ts";
import { createStore, type Store, type View } from "../../webview/store.ts";

// The panel outside of VS Code, in every state and theme: `#<picture>,<theme>` in the address chooses.
// It is a page for people who change the panel and for the tests of its look; it is not shipped.

let root: Root | null = null;
let current: Store | null = null;

/** Draws what the address names, from nothing. */
function draw(): void {
  const [name, theme] = location.hash.slice(1).split(",");
  const shown = [...SHOWS, ...SPEED_SHOWS].find((one) => one.name === name) ?? SHOWS[0];
  if (shown === undefined) return;
  wear(theme ?? "dark");
  root?.unmount();
  const element = document.getElementById("root");
  if (element === null) throw new Error("the page has no #root");
  const store = createStore();
  current = store;
  const view: View = {
    store,
    post: (message) => console.info("posted", JSON.stringify(message)),
    rowFocus: createRowFocus(),
    now: () => NOW,
    language: "en",
  };
  performance.mark("begin");
  const made = createRoot(element);
  root = made;
  flushSync(() => made.render(<Panel view={view} />));
  flushSync(() => store.dispatch({ kind: "received", message: shown.snapshot }));
  for (const action of shown.then) flushSync(() => store.dispatch(action));
  performance.measure("drawn", "begin");
  document.title = `Edit Review: ${shown.name}`;
  document.body.dataset["drawn"] = location.hash;
}

function wear(name: string): void {
  const theme = themeNamed(name);
  const { style } = document.documentElement;
  for (const { variables } of THEMES)
    for (const variable of Object.keys(variables)) style.removeProperty(`--vscode-${variable}`);
  for (const [variable, value] of Object.entries(theme.variables))
    style.setProperty(`--vscode-${variable}`, value);
  style.background = theme.behind;
  document.body.className = theme.bodyClasses.join(" ");
}

/** A call that starts now, as the host would tell of it. */
function arrive(): void {
  const seq = (current?.get().host.seq ?? 0) + 1;
  const card = call(`arrived-${seq}`, [file("src/new.ts")], { startedAt: NOW + seq });
  flushSync(() =>
    current?.dispatch({ kind: "received", message: { kind: "call", seq, call: card } }),
  );
}

window.addEventListener("hashchange", draw);
window.addEventListener("gallery-call", arrive);
draw();

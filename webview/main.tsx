import "@vscode/codicons/dist/codicon.css";
import "./theme.css";
import { createRoot } from "react-dom/client";
import { connect, vsCodeWindow } from "./channel.ts";
import { Panel } from "./Panel.tsx";
import { createRowFocus } from "./rowFocus.ts";
import { stateFrom } from "./saved.ts";
import { createStore } from "./store.ts";
import { languageOf } from "./strings.ts";

/** Starts the panel in a webview of VS Code, in the page that the host wrote. */
function start(): void {
  const root = document.getElementById("root");
  if (root === null) throw new Error("the page has no #root");
  if (document.title === "") document.title = "Edit Review";
  if (document.documentElement.lang === "") document.documentElement.lang = "en";
  const host = vsCodeWindow();
  const store = createStore(stateFrom(host.load()));
  const view = {
    store,
    post: host.post,
    rowFocus: createRowFocus(),
    now: Date.now,
    language: languageOf(document.documentElement.lang),
  };
  createRoot(root).render(<Panel view={view} />);
  connect(store, host);
}

start();

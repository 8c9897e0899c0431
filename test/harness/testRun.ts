import { format } from "node:util";
import type { Page } from "playwright-core";
import type { Server } from "./server.ts";

/** What a page tells about the tests that run behind it. */
export interface TestRun {
  readonly consoleLines: readonly string[];
  /** The exit code of the tests. Rejects when the page or the extension host dies. */
  ended(server: Server): Promise<number>;
}

const CONSOLE_LINES_MAX = 5_000;
/** How long the workbench may take to notice that its extension host is gone. */
const HOST_GRACE_MS = 5_000;

/** Offers the page the two functions that VS Code's own web tests use: one for what the extension
 *  host prints, and one for its end. Must be called before the page is opened. */
export async function watchTestRun(page: Page): Promise<TestRun> {
  const consoleLines: string[] = [];
  page.on("console", (message) => {
    if (consoleLines.length < CONSOLE_LINES_MAX) {
      consoleLines.push(`${message.type()} ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => consoleLines.push(`error ${error.message}`));

  let report: (ending: number | Error) => void = () => undefined;
  const reported = new Promise<number | Error>((resolve) => (report = resolve));
  page.on("crash", () => report(new Error("The page of the workbench crashed")));
  await page.exposeFunction("codeAutomationLog", (type: string, args: readonly unknown[]) => {
    // The host sends the format and its values apart.
    const line = format(...args).replace(/\n?$/, "\n");
    if (NOISE.test(line)) return;
    const stream = type === "error" ? process.stderr : process.stdout;
    stream.write(line);
  });
  await page.exposeFunction("codeAutomationExit", (code: number) => report(code));

  return {
    consoleLines,
    async ended(server) {
      const watch = setInterval(() => {
        if (deathOf(server) === undefined) return;
        clearInterval(watch);
        setTimeout(() => report(0), HOST_GRACE_MS).unref();
      }, 200);
      try {
        const ending = await reported;
        if (ending instanceof Error) throw ending;
        // When the host crashes, the workbench still reports 0. The server's log knows better.
        const death = deathOf(server);
        if (death !== undefined) throw new Error(`The extension host died: ${death}`);
        return ending;
      } finally {
        clearInterval(watch);
      }
    },
  };
}

function deathOf(server: Server): string | undefined {
  const ends = server
    .output()
    .matchAll(/Extension Host Process exited with (code: \S+, signal: \w+)/g);
  return [...ends].map((match) => match[1]).find((end) => end !== "code: 0, signal: null");
}

/** Lines that the workbench writes by the same way and that say nothing about an extension. */
const NOISE = new RegExp(
  [
    /^\[(RemoteAgentHostProtocol|AgentHost|DefaultAccount|AccountPolicyGate|chat-stt|ChatModelSelection|Service Worker)/,
    /^\[reconnection-grace-time/,
    /^(Resolving|Resolved) connection token/,
    /^Creating a socket/,
    /^(Ignoring fetching|Updating) additional builtin/,
    /^Started (local|initializing)/,
    /^Canceled: /,
    /^Creation of workbench contribution/,
    /^No search provider registered/,
    /Timed out waiting for authentication provider/,
    /ERR_NAME_NOT_RESOLVED/,
    // The window of a virtual workspace starts before its file system is there.
    /ENOPRO: No file system provider/,
    /^CodeExpectedError/,
    // Native modules that are not compiled here, and that VS Code does without.
    /Could not locate the bindings file/,
    /Cannot find module '\S*\/build\/Release\/(watchdog|vscode-sqlite3)/,
  ]
    .map((pattern) => pattern.source)
    .join("|"),
);

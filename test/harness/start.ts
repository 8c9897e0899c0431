// `npm start`: shows the extension in a real VS Code, on a copy of the sample workspace.
//   node test/harness/start.ts [--web] [--check] [--screenshot file] [--extension folder]
// Nothing of the user's own editor is touched: settings, extensions and files are throwaway copies.
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { scriptOptions } from "../support/scriptOptions.ts";
import { launchBrowser } from "./browser.ts";
import { findDesktop, hasDisplay } from "./desktop.ts";
import { runCommandNamed } from "./palette.ts";
import {
  linkExtension,
  makeSession,
  QUIET_SETTINGS,
  ROOT,
  SCREENSHOTS,
  type Session,
} from "./paths.ts";
import { startServer, type Server } from "./server.ts";
import { messageOf } from "./wait.ts";
import { showsOutcomes } from "./webview.ts";
import { newPage, showWorkbench, workbenchUrl } from "./workbench.ts";

const { values } = scriptOptions({
  options: {
    /** Uses the editor from npm also where a desktop editor is installed. */
    web: { type: "boolean", default: false },
    /** Walks through the first minute in a headless browser, then ends with 0 or 1. */
    check: { type: "boolean", default: false },
    screenshot: { type: "string", default: join(SCREENSHOTS, "start.png") },
    extension: { type: "string", default: ROOT },
  },
});

const SAMPLE_COMMAND = "Agent Edit Review: Run Sample Call";
const HINT = `Then press F1 and run "${SAMPLE_COMMAND}".\n`;

const stopping = stopSignal();
const extension = resolve(values.extension);
const session = makeSession(QUIET_SETTINGS);
try {
  const desktop = values.web || values.check ? undefined : findDesktop();
  if (desktop === undefined) await runServer(session);
  else await runDesktop(desktop, session);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
} finally {
  session.remove();
}
process.exit();

async function runDesktop(executable: string, session: Session): Promise<void> {
  const child = spawn(
    executable,
    [
      session.workspace,
      `--extensionDevelopmentPath=${extension}`,
      `--user-data-dir=${session.userDataDir}`,
      `--extensions-dir=${session.extensionsDir}`,
      "--new-window",
    ],
    { stdio: "ignore" },
  );
  const ended = new Promise<string | undefined>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", () => resolve(undefined));
  });
  process.stdout.write(`Opened ${executable}. Close its window or press Ctrl+C to end.\n${HINT}`);
  const failure = await Promise.race([ended, stopping.then(() => undefined)]);
  child.kill();
  await ended;
  if (failure !== undefined) throw new Error(`${executable} does not start: ${failure}`);
}

async function runServer(session: Session): Promise<void> {
  linkExtension(session, extension);
  const server = await startServer({ ...session, testDriver: false });
  try {
    const url = workbenchUrl(server, { path: session.workspace });
    if (values.check) return await check(server, url);
    process.stdout.write(`Open this address in a browser:\n\n${url}\n\n${HINT}Ctrl+C ends it.\n`);
    openForUser(url);
    const died = server.ended.then((how) => {
      throw new Error(`The VS Code server ended: ${how}\n${server.output().slice(-2000)}`);
    });
    await Promise.race([stopping, died]);
  } finally {
    await server.stop();
  }
}

function openForUser(url: string): void {
  if (process.env["CI"] !== undefined || !hasDisplay()) return;
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  // The address is printed in any case, so it does not matter if this cannot be done.
  spawn(command ?? "", args, { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}

/** Does what the README tells a new user to do, and waits for what it says they will see. */
async function check(server: Server, url: string): Promise<void> {
  const browser = await launchBrowser();
  const page = await newPage(browser);
  try {
    await showWorkbench(page, url);
    await runCommandNamed(page, SAMPLE_COMMAND);
    await showsOutcomes(page);
    process.stdout.write("start: the panel shows files applied, rejected and already applied\n");
  } catch (error) {
    process.stderr.write(`${server.output().slice(-2000)}\n`);
    throw error;
  } finally {
    await page.screenshot({ path: values.screenshot, timeout: 20_000 });
    process.stdout.write(`Screenshot: ${values.screenshot}\n`);
    await browser.close();
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    // Not `once`: npm passes Ctrl+C on, so it may come twice, and must not cut the clean-up short.
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => resolve());
  });
}

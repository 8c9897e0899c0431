// Stands for VS Code's `code` command: @vscode/test-electron and a user's shell may call it in the
// same way. Behind it are VS Code's own server from npm and a headless browser, so it needs
// neither a display nor a download from outside the npm registry.
import { fstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser } from "./browser.ts";
import { parseCodeArguments, type CodeArguments } from "./codeArguments.ts";
import { startControl } from "./control.ts";
import { ensureEditor } from "./install.ts";
import { SCREENSHOTS } from "./paths.ts";
import { runServerCommand, startServer, type Server } from "./server.ts";
import { watchTestRun } from "./testRun.ts";
import { messageOf, within } from "./wait.ts";
import { newPage, showWorkbench, workbenchUrl } from "./workbench.ts";

const TIMED_OUT = 124; // as the `timeout` command says it
const INTERRUPTED = 130;
const DEFAULT_TIMEOUT_MS = 10 * 60_000;

const call = parseCodeArguments(process.argv.slice(2));
try {
  process.exitCode = await main(call);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
} finally {
  call.cleanUp();
}
// An open socket of a browser that does not close must not keep us alive.
process.exit();

async function main(call: CodeArguments): Promise<number> {
  if (call.version) {
    const read = (file: string): Record<string, string> =>
      JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
    const dir = await ensureEditor();
    const { version } = read(join(dir, "package.json"));
    const { commit } = read(join(dir, "product.json"));
    process.stdout.write(`${version}\n${commit}\n${process.arch}\n`);
    return 0;
  }
  if (call.manage.length > 0) return runServerCommand(call, call.manage);
  return openWindow(call);
}

/** Opens a window and stays until the tests in it have ended, or until the process is told to end. */
async function openWindow(call: CodeArguments): Promise<number> {
  const timeoutMs = Number(process.env["EDITOR_TIMEOUT_MS"] ?? DEFAULT_TIMEOUT_MS);
  const stopping = stopSignal();
  const browser = await launchBrowser();
  let server: Server | undefined;
  try {
    const page = await newPage(browser);
    const run = await watchTestRun(page);
    const control = await startControl({
      page: () => Promise.resolve(page),
      consoleLines: () => run.consoleLines,
    });
    server = await startServer({
      ...call,
      testDriver: true,
      flags: call.trustAll ? ["--disable-workspace-trust"] : [],
      env: control.env,
    });
    const shown = showWorkbench(page, workbenchUrl(server, call));
    const endings = [
      run.ended(server),
      server.ended.then((how) => problem(`The VS Code server ended early: ${how}`)),
      stopping,
      shown.then(() => new Promise<never>(() => undefined)),
    ];
    try {
      return await within("the tests in the editor to end", timeoutMs, Promise.race(endings));
    } catch (error) {
      await page.screenshot({ path: join(SCREENSHOTS, "failed.png"), timeout: 10_000 }).then(
        () => process.stderr.write(`Screenshot: ${join(SCREENSHOTS, "failed.png")}\n`),
        (reason: unknown) => process.stderr.write(`No screenshot: ${messageOf(reason)}\n`),
      );
      process.stderr.write(`${server.output().slice(-4000)}\n${messageOf(error)}\n`);
      return messageOf(error).startsWith("Waited") ? TIMED_OUT : 1;
    } finally {
      control.close();
    }
  } finally {
    await within("the browser to close", 5_000, browser.close()).catch(() => undefined);
    await server?.stop();
  }
}

function problem(text: string): never {
  throw new Error(text);
}

function stopSignal(): Promise<number> {
  return new Promise((resolve) => {
    // Not `once`: a signal may come twice, and must not cut the clean-up short.
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(name, () => resolve(INTERRUPTED));
    }
    // A program that starts us holds the other end of our stdin, so we notice when it is killed. A
    // shell gives a terminal, a file or nothing, and those say nothing about the caller.
    if (!fstatSync(0).isSocket()) return;
    process.stdin.on("close", () => resolve(INTERRUPTED));
    process.stdin.resume();
  });
}

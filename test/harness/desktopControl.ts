import { createServer, type AddressInfo } from "node:net";
import { chromium, type Page } from "playwright-core";
import { startControl, type Control } from "./control.ts";
import { waitFor } from "./wait.ts";

export interface DesktopControl extends Control {
  /** Make the desktop editor open its window to Playwright. */
  readonly launchArgs: readonly string[];
}

/** On the desktop the launcher is VS Code itself, so the control endpoint lives in the runner and
 *  reaches the window by the debugging port of Electron. */
export async function startDesktopControl(): Promise<DesktopControl> {
  const port = await freePort();
  const consoleLines: string[] = [];
  let connected: Promise<Page> | undefined;
  const connect = async (): Promise<Page> => {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    const page = await waitFor("the window of the desktop editor", 30_000, async () => {
      for (const candidate of browser.contexts().flatMap((context) => context.pages())) {
        if ((await candidate.locator(".monaco-workbench").count()) > 0) return candidate;
      }
      return undefined;
    });
    page.on("console", (message) => consoleLines.push(`${message.type()} ${message.text()}`));
    return page;
  };
  const control = await startControl({
    page: () => (connected ??= connect()),
    consoleLines: () => consoleLines,
  });
  return { ...control, launchArgs: [`--remote-debugging-port=${port}`] };
}

/** Electron takes a number only. Another program may take the port in between, but then the tests
 *  that need it fail loudly. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

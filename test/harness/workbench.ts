import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser, Page } from "playwright-core";

/** What a window of the editor shows, and which extension it develops. */
export interface Target {
  readonly path?: string | undefined;
  readonly extensionDevelopmentPath?: readonly string[];
  readonly extensionTestsPath?: string | undefined;
}

/** The address of a window. The payload stands for the command line of the desktop editor; a
 *  server without the test driver ignores it. */
export function workbenchUrl(
  server: { readonly port: number; readonly token: string },
  target: Target,
): string {
  const authority = `127.0.0.1:${server.port}`;
  const remote = (path: string): string =>
    `vscode-remote://${authority}${encodeURI(posix(resolve(path)))}`;
  const payload: [string, string][] = [];
  for (const path of target.extensionDevelopmentPath ?? []) {
    payload.push(["extensionDevelopmentPath", remote(path)]);
  }
  if (target.extensionTestsPath !== undefined) {
    payload.push(["extensionTestsPath", remote(target.extensionTestsPath)]);
  }
  const query = new URLSearchParams({ tkn: server.token });
  if (target.path === undefined) query.set("ew", "true");
  else if (statSync(target.path).isDirectory()) query.set("folder", posix(resolve(target.path)));
  else if (target.path.endsWith(".code-workspace")) query.set("workspace", posix(target.path));
  else payload.push(["openFile", remote(target.path)]);
  if (payload.length > 0) query.set("payload", JSON.stringify(payload));
  return `http://${authority}/?${query.toString()}`;
}

function posix(path: string): string {
  return process.platform === "win32" ? `/${path.replaceAll("\\", "/")}` : path;
}

export const WINDOW = { width: 1400, height: 900 } as const;

export async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: WINDOW,
    locale: "en-US",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  return context.newPage();
}

export async function showWorkbench(page: Page, url: string): Promise<void> {
  await page.goto(url, { timeout: 60_000 });
  await page.waitForSelector(".monaco-workbench .part.statusbar", { timeout: 120_000 });
}

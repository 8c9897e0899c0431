import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { compileFunction } from "node:vm";
import type { Page } from "playwright-core";
import { runCommandNamed } from "./palette.ts";
import { SCREENSHOTS } from "./paths.ts";
import { runWithFile } from "./transcripts.ts";
import { messageOf, within } from "./wait.ts";
import { findReview } from "./webview.ts";

/** A test runs in the extension host and has no hands: it cannot press a key or look at the
 *  screen. This endpoint lends it Playwright's. It listens on loopback only, and only who knows
 *  the token may use it, because what it runs is code. */
export interface Control {
  /** For the environment of the extension host; `page.ts` reads it there. */
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

export interface ControlSource {
  readonly page: () => Promise<Page>;
  /** What the page and its webviews have written to the console, oldest first. */
  readonly consoleLines: () => readonly string[];
}

const BODY_BYTES_MAX = 1_000_000;
const RUN_MS_MAX = 120_000;

export async function startControl(source: ControlSource): Promise<Control> {
  const token = randomBytes(16).toString("hex");
  const server = createServer((request, response) => {
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${token}`) return reply(403, { error: "no" });
    answer(request, source).then(
      (value) => reply(200, { value: value ?? null }),
      (error: unknown) => reply(500, { error: messageOf(error) }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    env: { EDITOR_CONTROL_URL: `http://127.0.0.1:${port}/`, EDITOR_CONTROL_TOKEN: token },
    close: () => server.closeAllConnections(),
  };
}

interface Request {
  readonly js: string;
  readonly arg: unknown;
}

async function answer(message: IncomingMessage, source: ControlSource): Promise<unknown> {
  const { js, arg } = JSON.parse(await readBody(message)) as Request;
  const page = await source.page();
  const names = [
    "page",
    "arg",
    "review",
    "consoleLines",
    "screenshot",
    "runCommand",
    "runWithFile",
  ];
  const body = compileFunction(`return (async () => {\n${js}\n})();`, names) as Body;
  const work = body(
    page,
    arg,
    () => findReview(page),
    source.consoleLines,
    async (name) => {
      mkdirSync(SCREENSHOTS, { recursive: true });
      const path = join(SCREENSHOTS, `${name.replaceAll(/[^\w.-]+/g, "-")}.png`);
      await page.screenshot({ path, timeout: 20_000 });
      return path;
    },
    (title) => runCommandNamed(page, title),
    (title, path) => runWithFile(page, title, path),
  );
  return within("an action in the editor's page", RUN_MS_MAX, work);
}

type Body = (
  page: Page,
  arg: unknown,
  review: () => ReturnType<typeof findReview>,
  consoleLines: () => readonly string[],
  screenshot: (name: string) => Promise<string>,
  runCommand: (title: string) => Promise<void>,
  runWithFile: (title: string, path: string) => Promise<void>,
) => Promise<unknown>;

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (BODY_BYTES_MAX < size) throw new Error(`More than ${BODY_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

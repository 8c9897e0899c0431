import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";

const HERE = dirname(fileURLToPath(import.meta.url));
/** No such host is ever asked: every request of the page is answered from memory. */
const ORIGIN = "http://gallery.invalid";
/** As strict as the policy that the panel lives under in the editor. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:";

export interface Look {
  readonly width: number;
  readonly height: number;
  /** 2 is a zoom of 200 %: half as many CSS pixels, each twice as large. */
  readonly zoom: 1 | 2;
}

export type GalleryFiles = ReadonlyMap<string, Uint8Array>;

/** The gallery as the build makes the panel: by path below its page. */
export async function buildGallery(): Promise<GalleryFiles> {
  const dir = mkdtempSync(join(tmpdir(), "gallery-"));
  try {
    const { outputFiles } = await build({
      entryPoints: [join(HERE, "gallery.tsx")],
      bundle: true,
      format: "iife",
      target: "chrome128",
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"production"' },
      loader: { ".ttf": "file" },
      assetNames: "[name]",
      outdir: dir,
      write: false,
      logLevel: "error",
    });
    return new Map(outputFiles.map(({ path, contents }) => [path.slice(dir.length), contents]));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Edit Review</title>
<link rel="stylesheet" href="/gallery.css"></head><body><div id="root"></div>
<script src="/gallery.js"></script></body></html>`;

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".ttf": "font/ttf",
};

/** The gallery under the policy that VS Code's webviews get from us, which it must never break. */
export async function openGallery(
  browser: Browser,
  files: GalleryFiles,
  { width, height, zoom }: Look,
): Promise<{ page: Page; breaches: string[] }> {
  const context = await browser.newContext({
    viewport: { width: width / zoom, height: height / zoom },
    deviceScaleFactor: zoom,
    reducedMotion: "reduce",
    timezoneId: "UTC",
    locale: "en-US",
  });
  const page = await context.newPage();
  const breaches: string[] = [];
  page.on("pageerror", (error) => breaches.push(`error in the page: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") breaches.push(`console: ${message.text()}`);
  });
  await page.route("**/*", (route) => {
    const { pathname } = new URL(route.request().url());
    const file = files.get(pathname);
    if (pathname === "/favicon.ico") return route.fulfill({ status: 204 });
    if (file === undefined)
      return route.fulfill({
        body: PAGE,
        contentType: "text/html",
        headers: { "content-security-policy": POLICY },
      });
    const contentType = TYPES[extname(pathname)] ?? "application/octet-stream";
    return route.fulfill({ body: Buffer.from(file), contentType });
  });
  await page.goto(`${ORIGIN}/`);
  return { page, breaches };
}

/** Draws one picture in one theme, and waits until it stands still. */
export async function drawShow(page: Page, name: string, theme: string): Promise<void> {
  const hash = `#${name},${theme}`;
  await page.mouse.move(0, 0);
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.waitForFunction((to) => document.body.dataset["drawn"] === to, hash);
  await page.evaluate(() => document.fonts.ready);
  await settle(page);
}

/** Two frames: one in which heights are measured, one in which they are used. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

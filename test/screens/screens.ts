import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../harness/browser.ts";
import { accessibilityFaults, bringAxe, cutText, overlaps, sidewaysOverflow } from "./checks.ts";
import { SHOWS, type Show } from "./shows.ts";
import { THEMES, type Theme } from "./themes.ts";

// Draws the panel in every state, theme and width, and checks what can be checked by a machine.
//   node test/screens/screens.ts [--out FOLDER] [--only NAME[,NAME…]] [--accept]

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "..", "..");
/** No such host is ever asked: every request of the page is answered from memory. */
const ORIGIN = "http://gallery.invalid";
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:";

interface Look {
  readonly width: number;
  readonly height: number;
  /** 2 is a zoom of 200 %: half as many CSS pixels, each twice as large. */
  readonly zoom: 1 | 2;
}

const LOOKS: readonly Look[] = [
  { width: 900, height: 900, zoom: 1 },
  { width: 360, height: 900, zoom: 1 },
];
const ZOOMED: readonly Look[] = LOOKS.map((look) => ({ ...look, zoom: 2 }));

interface Options {
  readonly out: string | null;
  readonly only: readonly string[];
  readonly accept: boolean;
}

async function main(options: Options): Promise<number> {
  const files = await bundle();
  const browser = await launchBrowser();
  const failures: string[] = [];
  let passed = 0;
  const tell = (what: string, faults: readonly string[]): void => {
    if (faults.length === 0) passed++;
    else failures.push(...faults.map((fault) => `${what}: ${fault}`));
    if (0 < faults.length) console.error(`✕ ${what}\n    ${faults.join("\n    ")}`);
  };
  try {
    for (const look of [...LOOKS, ...ZOOMED]) await walk(browser, files, look, options, tell);
  } finally {
    await browser.close();
  }
  console.log(`screens: ${passed} passed, ${failures.length} failed`);
  return failures.length === 0 && 0 < passed ? 0 : 1;
}

type Tell = (what: string, faults: readonly string[]) => void;

async function walk(
  browser: Browser,
  files: ReadonlyMap<string, Uint8Array>,
  look: Look,
  options: Options,
  tell: Tell,
): Promise<void> {
  const { page, breaches } = await openGallery(browser, files, look);
  const shows = SHOWS.filter(
    ({ name }) => options.only.length === 0 || options.only.includes(name),
  );
  const [first] = THEMES;
  for (const theme of look.zoom === 1 ? THEMES : THEMES.slice(0, 1)) {
    for (const show of shows) {
      const what = `${show.name}.${theme.name}.${look.width}${look.zoom === 2 ? ".zoom200" : ""}`;
      await draw(page, show, theme);
      const faults = [
        ...(await page.evaluate(sidewaysOverflow)),
        ...(await page.evaluate(cutText)),
        ...(await page.evaluate(overlaps)),
        ...(await accessibilityFaults(page, rulesFor(look, theme))),
        ...breaches.splice(0),
      ];
      if (look === LOOKS[0] && theme === first)
        faults.push(...(await golden(page, show, options.accept)));
      tell(what, faults);
      if (options.out !== null)
        await page.screenshot({ path: join(options.out, `${what}.png`), animations: "disabled" });
    }
  }
  await page.context().close();
}

function rulesFor({ zoom, width }: Look, theme: Theme): "all" | "contrast" | "none" {
  if (zoom === 2) return "none";
  if (theme === THEMES[0]) return "all";
  return width === LOOKS[0]?.width ? "contrast" : "none";
}

async function bundle(): Promise<ReadonlyMap<string, Uint8Array>> {
  const dir = mkdtempSync(join(tmpdir(), "gallery-"));
  try {
    const { outputFiles } = await build({
      entryPoints: [join(ROOT, "webview", "gallery.tsx")],
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
  files: ReadonlyMap<string, Uint8Array>,
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
  await bringAxe(page);
  return { page, breaches };
}

async function draw(page: Page, show: Show, theme: Theme): Promise<void> {
  const hash = `#${show.name},${theme.name}`;
  await page.mouse.move(0, 0);
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await page.waitForFunction((to) => document.body.dataset["drawn"] === to, hash);
  await page.evaluate(() => document.fonts.ready);
  if (0 < show.keys.length)
    await page.locator("[data-row] button, button[data-row]").first().focus();
  for (const key of show.keys) await page.keyboard.press(key);
  // Two frames: one in which heights are measured, one in which they are used.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** The accessibility tree as text, compared with the one that was read and committed. */
async function golden(page: Page, show: Show, accept: boolean): Promise<readonly string[]> {
  const file = join(HERE, `${show.name}.aria.txt`);
  const actual = `${await page.locator("body").ariaSnapshot()}\n`;
  if (existsSync(file) && readFileSync(file, "utf8") === actual) return [];
  const isNew = !existsSync(file);
  if (isNew || accept) {
    writeFileSync(file, actual);
    return accept
      ? []
      : [`${show.name}.aria.txt was missing: read what was written, then run again`];
  }
  writeFileSync(file.replace(".aria.txt", ".actual.txt"), actual);
  return [`the accessibility tree differs from ${show.name}.aria.txt; see ${show.name}.actual.txt`];
}

function optionsOf(args: readonly string[]): Options {
  const value = (name: string): string | null => {
    const at = args.indexOf(name);
    return at === -1 ? null : (args[at + 1] ?? null);
  };
  return {
    out: value("--out"),
    only: value("--only")?.split(",") ?? [],
    accept: args.includes("--accept"),
  };
}

const options = optionsOf(process.argv.slice(2));
if (options.out !== null) mkdirSync(options.out, { recursive: true });
process.exitCode = await main(options);

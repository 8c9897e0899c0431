import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../harness/browser.ts";
import { scriptOptions } from "../support/scriptOptions.ts";
import { accessibilityFaults, bringAxe, cutText, overlaps, sidewaysOverflow } from "./checks.ts";
import { buildGallery, drawShow, openGallery, settle } from "./galleryPage.ts";
import type { GalleryFiles, Look } from "./galleryPage.ts";
import { SHOWS, type Show } from "./shows.ts";
import { STORIES } from "./stories.ts";
import { THEMES, type Theme } from "./themes.ts";

// Draws the panel in every state, theme and width, and checks what can be checked by a machine.
//   node test/screens/screens.ts [--out FOLDER] [--only NAME[,NAME…]] [--accept]

const HERE = dirname(fileURLToPath(import.meta.url));

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
  const files = await buildGallery();
  const browser = await launchBrowser();
  let [passed, failed] = [0, 0];
  const tell = (what: string, faults: readonly string[]): void => {
    if (faults.length === 0) passed++;
    else failed++;
    if (0 < faults.length) console.error(`✕ ${what}\n    ${faults.join("\n    ")}`);
  };
  tell("goldens", orphans());
  try {
    if (options.only.length === 0) await tellStories(browser, files, tell);
    for (const look of [...LOOKS, ...ZOOMED]) await walk(browser, files, look, options, tell);
  } finally {
    await browser.close();
  }
  console.log(`screens: ${passed} passed, ${failed} failed`);
  return failed === 0 && 1 < passed ? 0 : 1;
}

/** Goldens of pictures that are not drawn any more. */
function orphans(): readonly string[] {
  const names = new Set(SHOWS.map(({ name }) => `${name}.aria.txt`));
  const files = readdirSync(HERE).filter((file) => file.endsWith(".aria.txt"));
  return files.filter((file) => !names.has(file)).map((file) => `${file} belongs to no picture`);
}

type Tell = (what: string, faults: readonly string[]) => void;

async function tellStories(browser: Browser, files: GalleryFiles, tell: Tell): Promise<void> {
  for (const story of STORIES) {
    const { page, breaches } = await openGallery(browser, files, {
      width: 420,
      height: 800,
      zoom: 1,
    });
    tell(story.name, [...(await story.tell(page)), ...breaches]);
    await page.context().close();
  }
}

async function walk(
  browser: Browser,
  files: GalleryFiles,
  look: Look,
  options: Options,
  tell: Tell,
): Promise<void> {
  const { page, breaches } = await openGallery(browser, files, look);
  await bringAxe(page);
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

async function draw(page: Page, show: Show, theme: Theme): Promise<void> {
  await drawShow(page, show.name, theme.name);
  if (show.keys.length === 0) return;
  await page.locator("[data-row] button, button[data-row]").first().focus();
  for (const key of show.keys) await page.keyboard.press(key);
  await settle(page);
}

/** The accessibility tree as text, compared with the one that was read and committed. */
async function golden(page: Page, show: Show, accept: boolean): Promise<readonly string[]> {
  const file = join(HERE, `${show.name}.aria.txt`);
  const seen = await page.locator("body").ariaSnapshot();
  // What the live region says comes and goes with time; its words have tests of their own.
  const actual = `${seen.replaceAll(/^(\s*- status)(: .*)?$/gm, "$1")}\n`;
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

const { values } = scriptOptions({
  options: {
    out: { type: "string" },
    only: { type: "string", default: "" },
    accept: { type: "boolean", default: false },
  },
});
const options: Options = {
  out: values.out ?? null,
  only: values.only.split(",").filter((name) => name !== ""),
  accept: values.accept,
};
if (options.out !== null) mkdirSync(options.out, { recursive: true });
process.exitCode = await main(options);

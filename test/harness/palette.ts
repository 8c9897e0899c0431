import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { waitFor } from "./wait.ts";

export interface PaletteCommand {
  readonly id: string;
  /** The extension's folder. Its manifest knows what the palette calls the command. */
  readonly folder: string;
}

/** Runs a command as a user does: opens the command palette, types, presses Enter. */
export async function runCommand(page: Page, command: PaletteCommand): Promise<void> {
  await runCommandNamed(page, titleOf(command));
}

export async function runCommandNamed(page: Page, title: string): Promise<void> {
  const rows = page.locator(".quick-input-widget .monaco-list-row");
  const row = rows.filter({ hasText: title }).first();
  // The list is made when the palette opens, and the extensions may come a little later.
  await waitFor(`the command palette to offer "${title}"`, 120_000, async () => {
    // A window that is still loading drops the key.
    await page.keyboard.press("F1");
    const input = page.locator(".quick-input-widget input.input");
    try {
      await input.waitFor({ state: "visible", timeout: 5_000 });
      await input.fill(`>${title}`);
      await row.waitFor({ state: "visible", timeout: 2_000 });
      return true;
    } catch {
      await page.keyboard.press("Escape");
      return undefined;
    }
  });
  await page.keyboard.press("Enter");
}

interface Manifest {
  readonly contributes?: {
    readonly commands?: readonly { command: string; title: string; category?: string }[];
  };
}

function titleOf({ id, folder }: PaletteCommand): string {
  const manifest = readJson(join(folder, "package.json")) as Manifest;
  const found = manifest.contributes?.commands?.find(({ command }) => command === id);
  if (found === undefined) throw new Error(`${folder} does not contribute the command ${id}`);
  const texts = /%/.test(found.title + (found.category ?? ""))
    ? (readJson(join(folder, "package.nls.json")) as Record<string, string | undefined>)
    : {};
  const say = (text: string): string =>
    text.replace(/^%(.+)%$/, (all, key: string) => texts[key] ?? all);
  return found.category === undefined
    ? say(found.title)
    : `${say(found.category)}: ${say(found.title)}`;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

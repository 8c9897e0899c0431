// Imports and exports transcripts as a person does without a mouse. Not among the editor tests: while it runs those,
// VS Code answers its own dialogs, and the preview is one.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Page } from "playwright-core";
import { runCommandNamed } from "./palette.ts";
import { ROOT } from "./paths.ts";
import { waitFor } from "./wait.ts";
import { findReview } from "./webview.ts";

const TRANSCRIPTS = join(ROOT, "test", "unit", "importers", "transcripts");

/** Each format, with what the preview must name of it. */
const FORMATS = {
  "codex.jsonl": "apply_patch",
  "claude-code.jsonl": "edit",
  "responses.jsonl": "edit_files",
  "generic.jsonl": "write",
} as const;

const BROKEN = '\n{"broken": \nnot json at all\n';
const WAIT_MS = 30_000;

/** Every format with broken lines in it, a preview that is declined, and an export that is imported again. */
export async function walkTranscripts(page: Page, folder: string): Promise<number> {
  for (const [name, tool] of Object.entries(FORMATS)) {
    const file = join(folder, name);
    cpSync(join(TRANSCRIPTS, name), file);
    writeFileSync(file, readFileSync(file, "utf8") + BROKEN);
    const shown = await preview(page, file);
    expectAll(shown, [tool, "broken lines", "no file changes"]);
    if (countIn(shown) < 4) throw new Error(`${name}: too few calls in the preview: ${shown}`);
    await page.keyboard.press("Enter");
    await told(page, `Imported ${countIn(shown)} calls from ${name}`);
  }
  const review = await findReview(page);
  await review.getByRole("button", { name: "All", exact: true }).click();
  await review.locator('[data-testid="call-card"]').getByText("Not applied here").first().waitFor();

  const declined = join(folder, "declined.jsonl");
  const call = { tool: "write", input: { path: "/p/never-stored.txt", content: "x" } };
  writeFileSync(declined, `${JSON.stringify(call)}\n`);
  if (countIn(await preview(page, declined)) !== 1) throw new Error("not one call was found");
  await page.keyboard.press("Escape");

  const exported = join(folder, "exported.jsonl");
  await runWithFile(page, "Agent Edit Review: Export Calls", exported);
  await waitFor("the export", WAIT_MS, () => (existsSync(exported) ? true : undefined));
  const lines = readFileSync(exported, "utf8").trimEnd().split("\n");
  if (lines.some((line) => line.includes("never-stored")))
    throw new Error("calls were stored although nobody said yes");
  const again = await preview(page, exported);
  const edits = lines.filter((line) => !line.includes('"tool":"undo"')).length;
  if (countIn(again) !== edits) throw new Error(`${edits} calls were exported: ${again}`);
  await page.keyboard.press("Escape");
  return Object.keys(FORMATS).length + 2;
}

/** Picks the file and gives what the question says; nothing is stored before it is answered. */
async function preview(page: Page, file: string): Promise<string> {
  await runWithFile(page, "Agent Edit Review: Import Transcript", file);
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.waitFor({ state: "visible", timeout: WAIT_MS });
  const text = await dialog.innerText();
  if (!text.includes(basename(file))) throw new Error(`another dialog shows: ${text}`);
  return text;
}

/** Runs a command that asks for a file. The editor's own file dialog is a quick input where the files are remote. */
export async function runWithFile(page: Page, title: string, path: string): Promise<void> {
  const input = page.locator('.quick-input-widget input[placeholder="Folder path"]');
  for (let tries = 1; ; tries++) {
    await runCommandNamed(page, title);
    try {
      await input.waitFor({ state: "visible", timeout: 10_000 });
      // It fills in a folder of its own first, and follows what is typed key by key, not what is set as a whole.
      await waitFor("a first folder", 5_000, async () =>
        (await input.inputValue()) === "" ? undefined : true,
      );
      await page.keyboard.press("Control+A");
      await page.keyboard.type(path);
      await waitFor("the path to stand", 10_000, async () =>
        (await input.inputValue()) === path ? true : undefined,
      );
      await page.keyboard.press("Enter");
      await input.waitFor({ state: "hidden", timeout: 5_000 });
      return;
    } catch (error) {
      // One that has lost its way takes no answer any more: a person closes it and asks again.
      if (tries === 4) throw error;
      await page.keyboard.press("Escape");
      await input.waitFor({ state: "hidden", timeout: 5_000 });
    }
  }
}

async function told(page: Page, sentence: string): Promise<void> {
  const toast = page.locator(".notification-toast", { hasText: sentence });
  await toast.first().waitFor({ state: "visible", timeout: WAIT_MS });
}

function countIn(text: string): number {
  return Number(/Import (\d+) calls/.exec(text)?.[1]);
}

function expectAll(text: string, parts: readonly string[]): void {
  const missing = parts.filter((part) => !text.includes(part));
  if (missing.length > 0)
    throw new Error(`The preview does not say ${missing.join(", ")}: ${text}`);
}

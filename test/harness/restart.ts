import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";
import { waitFor } from "./wait.ts";
import { findReview, showsOutcomes } from "./webview.ts";

const WAIT_MS = 30_000;

/**
 * Keeps one file, restarts the extension host and opens the panel: every card reads as before, the kept one too, and
 * no file has changed. What shows then can only have come from the store on disk.
 */
export async function walkRestart(
  page: Page,
  workspace: string,
  openPanel: () => Promise<void>,
): Promise<number> {
  const review = await findReview(page);
  await review.getByRole("button", { name: "Keep", exact: true }).first().click();
  await review.locator('[data-testid="file-card"]').getByText("kept", { exact: true }).waitFor();
  const cards = await cardsOf(review);
  const files = bytesBelow(workspace);
  await page.reload({ timeout: 60_000 });
  await openPanel();
  await showsOutcomes(page);
  const again = await findReview(page);
  let seen: readonly string[] = [];
  await waitFor("the cards as they were", WAIT_MS, async () => {
    seen = await cardsOf(again);
    return seen.join("\n\n") === cards.join("\n\n") ? true : undefined;
  }).catch(() => {
    throw new Error(`Before:\n${cards.join("\n\n")}\n\nAfter a restart:\n${seen.join("\n\n")}`);
  });
  if (bytesBelow(workspace) !== files) throw new Error("a restart changed files");
  return 1;
}

/** What stands in each card, blank space aside. */
async function cardsOf(review: Frame): Promise<readonly string[]> {
  const texts = await review.locator('[data-testid="call-card"]').allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, " "));
}

/** Every file below the folder with its bytes. */
function bytesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => `${name}\n${readFileSync(join(folder, name)).toString("base64")}`)
    .join("\n");
}

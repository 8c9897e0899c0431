import type { Frame, Page } from "playwright-core";
import { waitFor } from "./wait.ts";

export const REVIEW_PANEL = '[data-testid="review-panel"]';

/** The document that the extension wrote. VS Code puts it two frames deep and names the frames by
 *  chance, so we look for our own mark instead. A hidden copy does not count. */
export function findReview(page: Page, timeoutMs = 30_000): Promise<Frame> {
  return waitFor("the review webview to show", timeoutMs, async () => {
    for (const frame of page.frames()) {
      try {
        if (!(await frame.locator(REVIEW_PANEL).first().isVisible())) continue;
        if (await isShown(frame)) return frame;
      } catch {
        // The frame went away while we looked at it; the next round sees its successor.
      }
    }
    return undefined;
  });
}

/** Until the sample's second call has ended, in whose card files of every outcome stand. */
export async function showsOutcomes(page: Page): Promise<void> {
  // The extension host may have to start first.
  const review = await findReview(page, 120_000);
  const partial = review.locator('[data-testid="call-card"][data-phase="done"]');
  for (const state of ["rejected", "already_applied", "applied"]) {
    const file = partial.locator(`[data-testid="file-card"][data-state="${state}"]`);
    await file.first().waitFor({ state: "attached", timeout: 60_000 });
  }
}

async function isShown(frame: Frame): Promise<boolean> {
  for (let f: Frame | null = frame; f?.parentFrame(); f = f.parentFrame()) {
    const element = await f.frameElement();
    if (!(await element.isVisible())) return false;
  }
  return true;
}

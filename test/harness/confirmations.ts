// Answers VS Code's own confirmation of a tool as a person does, with the mouse and with keys alone. Not among the
// editor tests: while it runs those, VS Code answers its own dialogs with yes.
import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { answerFile, hand, requestFile, take, type ToolAnswer } from "./caller/requests.ts";
import { SCREENSHOTS } from "./paths.ts";
import { messageOf } from "./wait.ts";
import { findReview } from "./webview.ts";

const WAIT_MS = 30_000;
const BEFORE = "one\ntwo\nthree\n";
const EDITED = "one\nzwei\nthree\n";

/** Where the caller takes its requests from, and the folder that its calls edit. */
export interface Places {
  readonly caller: string;
  readonly workspace: string;
}

type Answer = (page: Page, dialog: Locator) => Promise<void>;

const byMouse: Answer = (_, dialog) => dialog.getByRole("button", { name: "Yes" }).click();
const cancel: Answer = (_, dialog) => dialog.getByRole("button", { name: "Cancel" }).click();
/** The dialog has the focus when it opens, and stands on its yes. */
const byKeys: Answer = (page) => page.keyboard.press("Enter");

/** One call that VS Code asks about. */
interface Walk {
  readonly what: string;
  readonly counts: "first" | "approves";
  readonly answer: Answer;
  /** What the file holds by the time of the answer. */
  readonly meanwhile?: string;
  /** What the panel is then asked, and says; null where it is not asked. */
  readonly panel: "Approve" | "Deny" | null;
  /** What the caller is told: the text of the result, or the name of the error. */
  readonly told: RegExp;
  readonly after: string;
}

const WALKS: readonly Walk[] = [
  {
    what: "a no writes nothing and ends the call",
    counts: "first",
    answer: cancel,
    panel: null,
    told: /^Canceled/,
    after: BEFORE,
  },
  {
    what: "a yes by mouse goes on to the panel's question",
    counts: "first",
    answer: byMouse,
    panel: "Approve",
    told: /zwei/,
    after: EDITED,
  },
  {
    what: "a yes by keyboard goes on to the panel's question",
    counts: "first",
    answer: byKeys,
    panel: "Deny",
    told: /denied by the user/,
    after: BEFORE,
  },
  {
    what: "a yes by mouse is the approval where the user set it so",
    counts: "approves",
    answer: byMouse,
    panel: null,
    told: /zwei/,
    after: EDITED,
  },
  {
    what: "a yes by keyboard is the approval where the user set it so",
    counts: "approves",
    answer: byKeys,
    panel: null,
    told: /zwei/,
    after: EDITED,
  },
  {
    what: "a no writes nothing where a yes would approve",
    counts: "approves",
    answer: (page) => page.keyboard.press("Escape"),
    panel: null,
    told: /^Canceled/,
    after: BEFORE,
  },
  {
    what: "a yes is not for another plan, which the panel asks about",
    counts: "approves",
    answer: byMouse,
    meanwhile: "zero\none\ntwo\nthree\n",
    panel: "Approve",
    told: /zwei/,
    after: "zero\none\nzwei\nthree\n",
  },
  {
    what: "a yes is not for a file in which the edit does not fit any more",
    counts: "approves",
    answer: byMouse,
    meanwhile: "something else\n",
    panel: null,
    told: /not found/,
    after: "something else\n",
  },
];

/** Gives the number of walks. */
export async function walkConfirmations(page: Page, places: Places): Promise<number> {
  for (const [index, walk] of WALKS.entries()) {
    try {
      await answerOne(page, places, walk, index + 1);
    } catch (error) {
      const picture = join(SCREENSHOTS, "confirmation-failed.png");
      await page.screenshot({ path: picture, timeout: 10_000 }).catch(() => undefined);
      const told = `VS Code's confirmation, ${walk.what}: ${messageOf(error)} (${picture})`;
      throw new Error(told, { cause: error });
    }
  }
  return WALKS.length;
}

async function answerOne(page: Page, places: Places, walk: Walk, n: number): Promise<void> {
  const [asked, free] = [`asked-${n}.txt`, `free-${n}.txt`];
  const fileOf = (name: string): string => join(places.workspace, name);
  const bytes = (): string[] => [asked, free].map((name) => readFileSync(fileOf(name), "utf8"));
  for (const name of [asked, free]) writeFileSync(fileOf(name), BEFORE);
  hand(requestFile(places.caller, n), {
    tool: "edit_files",
    input: {
      edits: [asked, free, GONE].map((name) => {
        return { path: fileOf(name), old_text: "two", new_text: "zwei" };
      }),
    },
    settings: {
      "agentEditReview.permission": { edit_files: { "asked-*": "ask" } },
      "agentEditReview.nativeConfirmation": walk.counts,
    },
  });
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.waitFor({ state: "visible", timeout: WAIT_MS });
  checkWords(await dialog.innerText(), walk, asked, free);
  await page.screenshot({ path: join(SCREENSHOTS, `confirmation-${walk.counts}.png`) });
  assert.deepEqual(bytes(), [BEFORE, BEFORE], "written before anybody answered");
  if (walk.meanwhile !== undefined) writeFileSync(fileOf(asked), walk.meanwhile);
  await walk.answer(page, dialog);
  await dialog.waitFor({ state: "hidden", timeout: WAIT_MS });

  const review = await findReview(page);
  const card = review.locator('[data-testid="call-card"]', { hasText: asked });
  if (walk.panel !== null) {
    await review.locator(`${CARD}[data-phase="approval"]`, { hasText: asked }).waitFor();
    assert.deepEqual(bytes(), [walk.meanwhile ?? BEFORE, BEFORE], "written before the panel's yes");
    await card.locator(`button[title^="${walk.panel}"]`).first().click();
  }
  const answer = await take<ToolAnswer>(answerFile(places.caller, n), WAIT_MS);
  assert.match(answer.kind === "error" ? answer.name : answer.text, walk.told);
  const isNo = answer.kind === "error";
  assert.deepEqual(bytes(), [walk.after, isNo ? BEFORE : EDITED]);
  if (isNo) assert.equal(await card.count(), 0, "a call that never began has a card");
  else await review.locator(`${CARD}[data-phase="done"]`, { hasText: asked }).waitFor();
}

const CARD = '[data-testid="call-card"]';
/** No file has this name, which would hide all that is shown after it if it were taken for HTML. */
const GONE = "gone <!-- & .txt";

/** The dialog names the files and shows the planned server diff, and says who is asked next. */
function checkWords(shown: string, { counts }: Walk, asked: string, free: string): void {
  const words = [
    "Let edit_files change a file that needs your approval?",
    `Change ${asked} (+1 −1)`,
    // Each row of the diff is a line of its own, also the last.
    "\n-two\n+zwei\n three\n",
    "\nChanged without approval, as the rules allow: ",
    `${free}\nNot changed, as these edits do not fit: `,
    GONE,
  ];
  for (const one of words) assert.ok(shown.includes(one), `${one} is missing in: ${shown}`);
  assert.equal(shown.includes("Edit Review then asks"), counts === "first", shown);
}

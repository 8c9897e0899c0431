import { strict as assert } from "node:assert";
import { basename } from "node:path";
import * as vscode from "vscode";
import type { CallRecord } from "../../src/app/record.ts";
import { newSession, nextCall, showReview } from "../harness/extension.ts";
import {
  answerQuickInput,
  countInReview,
  inReview,
  page,
  press,
  runFromPalette,
  runWithFile,
  screenshot,
} from "../harness/page.ts";
import { waitFor } from "../harness/wait.ts";
import { editorFiles, type EditorFiles } from "../support/editorFiles.ts";

/** Everything here is done with keys alone, as a person without a mouse does it. */
describe("replay from the command palette", () => {
  let files: EditorFiles;
  beforeEach(async () => {
    files = editorFiles();
    await showReview();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("agentEditReview.cancelRunningCalls");
    await files.close();
  });

  const card = (phase: string): string =>
    `[data-testid="call-card"][data-phase="${phase}"]:has-text("${basename(files.root)}")`;
  const fileCard = (name: string): string =>
    `[data-testid="file-card"]:has(button[aria-label$="${basename(files.root)}/${name}"])`;
  const waiting = (): Promise<CallRecord> =>
    nextCall("the dry run", ({ source, phase }) => source === "replay" && phase === "approval");
  const ended = ({ id }: CallRecord): Promise<CallRecord> =>
    nextCall("the end of the replay", (call) => call.id === id && call.phase === "done");
  const statuses = (call: CallRecord): string[] =>
    call.files.map(({ path, outcome }) => `${basename(path)} ${outcome?.status}`).sort();

  /** What the card of a file says of it, while the dry run waits. */
  const pill = async (name: string): Promise<string> => {
    const place = `${card("approval")} ${fileCard(name)}`;
    await countInReview(`${place} .pill`);
    return page<string>(
      "return await (await review()).locator(arg).filter({visible: true}).first().innerText();",
      `${place} .pill`,
    );
  };

  /** Goes with Tab to the first button whose title begins so (in the card, by number of matches), and presses Enter. */
  const pressButton = async (title: string, row: string): Promise<void> => {
    await inReview("document.querySelector('#search, input')?.focus();");
    const focused = (): Promise<{ title: string; row: string }> =>
      inReview(
        `const at = document.activeElement;
         return { title: at?.title ?? "", row: at?.closest("[data-row]")?.dataset.row ?? "" };`,
      );
    // Tab goes through the bar and into the list; there arrows go from row to row, and Tab through one row's buttons.
    const walk = async (key: string, there: (at: { title: string; row: string }) => boolean) => {
      for (let steps = 0; steps < 40 && !there(await focused()); steps++) await press(key);
    };
    await walk("Tab", (at) => at.row !== "");
    await press("Home");
    await walk("ArrowDown", (at) => at.row.includes(row));
    await walk("Tab", (at) => at.title.startsWith(title));
    const at = await focused();
    if (at.title.startsWith(title) && at.row.includes(row)) return press("Enter");
    assert.fail(`no button ${title} of ${row} was reached`);
  };

  it("a stored call: picked, shown as a dry run, one file applied and one denied", async () => {
    const edits = ["a.txt", "b.txt", "c.txt"].map((name) => ({
      path: files.write(name, "one\ntwo\n"),
      old_text: "two",
      new_text: "zwei",
    }));
    const { execute } = await newSession();
    assert.equal((await execute("edit_files", { edits })).structured.status, "applied");
    await files.rewrite("a.txt", "zero\none\ntwo\n");
    await files.rewrite("b.txt", "something else\n");
    await files.rewrite("c.txt", "one\ntwo\n");

    const dry = waiting();
    await runFromPalette("Agent Edit Review: Replay Stored Call");
    await answerQuickInput(basename(files.root), basename(files.root));
    const call = await dry;
    assert.equal(await pill("a.txt"), "would apply");
    assert.equal(await pill("b.txt"), "would be rejected");
    assert.equal(await pill("c.txt"), "would apply");
    await screenshot("replay-dry-run");
    assert.equal(files.read("a.txt").toString(), "zero\none\ntwo\n");

    const end = ended(call);
    await pressButton("Approve", "a.txt");
    await pressButton("Deny", "c.txt");
    assert.deepEqual(statuses(await end), ["a.txt applied", "b.txt rejected", "c.txt rejected"]);
    assert.equal(files.read("a.txt").toString(), "zero\none\nzwei\n");
    assert.equal(files.read("b.txt").toString(), "something else\n");
    assert.equal(files.read("c.txt").toString(), "one\ntwo\n");
    await countInReview(`${card("done")} .badge:has-text("replay")`);
  });

  it("what is applied is what the dry run showed, or nothing", async () => {
    files.write("a.txt", "one\ntwo\n");
    const shown = `${basename(files.root)}/a.txt`;
    await vscode.env.clipboard.writeText(
      `*** Begin Patch\n*** Update File: ${shown}\n@@\n-two\n+zwei\n*** End Patch\n`,
    );
    for (const changes of [false, true]) {
      const dry = waiting();
      await runFromPalette("Agent Edit Review: Replay from Clipboard");
      const call = await dry;
      const proposed = call.files[0]?.proposed;
      assert.match(proposed ?? "", /-two\n\+zwei/);
      if (changes) files.write("a.txt", "three\ntwo\n");
      const end = ended(call);
      await pressButton("Approve all", call.id);
      const [file] = (await end).files;
      if (changes) {
        assert.equal(file?.outcome?.status, "rejected");
        assert.equal(files.read("a.txt").toString(), "three\ntwo\n");
      } else {
        assert.equal(file?.outcome?.diff, proposed);
        assert.equal(files.read("a.txt").toString(), "one\nzwei\n");
        await files.rewrite("a.txt", "one\ntwo\n");
      }
    }
  });

  it("a patch shows also what would be rejected", async () => {
    files.write("a.txt", "one\n");
    files.write("b.txt", "other\n");
    const at = basename(files.root);
    await vscode.env.clipboard.writeText(
      [
        "*** Begin Patch",
        ...["a.txt", "b.txt"].flatMap((name) => [
          `*** Update File: ${at}/${name}`,
          "@@",
          "-one",
          "+1",
        ]),
        "*** End Patch",
      ].join("\n"),
    );
    const dry = waiting();
    await runFromPalette("Agent Edit Review: Replay from Clipboard");
    const call = await dry;
    assert.equal(await pill("a.txt"), "would apply");
    assert.equal(await pill("b.txt"), "would be rejected");
    const end = ended(call);
    await pressButton("Approve all", call.id);
    assert.deepEqual(statuses(await end), ["a.txt applied", "b.txt rejected"]);
    assert.equal(files.read("a.txt").toString(), "1\n");
  });

  it("a file of several calls: one after another, with progress, until it is stopped", async () => {
    for (const name of ["a.txt", "b.txt", "c.txt"]) files.write(name, "one\n");
    const calls = ["a.txt", "b.txt", "c.txt"].map((name) => ({
      tool: "edit",
      input: { path: files.path(name), old_string: "one", new_string: "1" },
    }));
    const file = files.write("calls.json", JSON.stringify(calls));
    const dry = waiting();
    await runWithFile("Agent Edit Review: Replay from File", file);
    const first = await dry;
    // Tests run in a quiet window, whose notifications go to the list only.
    await vscode.commands.executeCommand("notifications.showList");
    const item = ".notifications-center .notification-list-item";
    const shows = (text: string): Promise<true> =>
      waitFor(`a notification with ${text}`, 20_000, async () =>
        (
          await page<string[]>(
            `return await page.locator(${JSON.stringify(item)}).allInnerTexts();`,
          )
        ).some((one) => one.includes(text))
          ? true
          : undefined,
      );
    await shows("call 1 of 3");
    const next = nextCall(
      "the second dry run",
      ({ id, source, phase }) => source === "replay" && phase === "approval" && id !== first.id,
    );
    await pressButton("Approve all", first.id);
    const second = await next;
    assert.equal(files.read("a.txt").toString(), "1\n");
    await shows("call 2 of 3");
    const end = ended(second);
    await vscode.commands.executeCommand("notifications.showList");
    await page(
      `const button = page.locator(arg + " .monaco-button", { hasText: "Cancel" });
       await button.first().focus();
       await page.keyboard.press("Enter");`,
      item,
    );
    assert.deepEqual(statuses(await end), ["b.txt rejected"]);
    await waitFor("the notification to go", 20_000, async () =>
      (await page<number>(`return await page.locator("${item}:has-text('of 3')").count();`)) === 0
        ? true
        : undefined,
    );
    assert.equal(files.read("b.txt").toString(), "one\n");
    assert.equal(files.read("c.txt").toString(), "one\n");
    await vscode.commands.executeCommand("notifications.hideList");
  });
});

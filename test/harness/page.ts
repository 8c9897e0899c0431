// Used by the tests inside the extension host: hands and eyes in the editor's window. What these
// functions send is run by control.ts with Playwright's page.

/** Runs the body of an async function that may use
 *  - `page`: Playwright's page of the editor's window,
 *  - `arg`: the second argument of this call, which must survive JSON,
 *  - `review()`: a promise of Playwright's frame of the visible review webview,
 *  - `consoleLines()`: see below,
 *  - `screenshot(name)`: see below,
 *  - `runCommand(title)`: see `runFromPalette`,
 *  - `runWithFile(title, path)`: see below. */
export async function page<T = unknown>(js: string, arg: unknown = null): Promise<T> {
  const url = process.env["EDITOR_CONTROL_URL"];
  if (url === undefined) throw new Error("These tests need runEditorTests.ts to start them");
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${process.env["EDITOR_CONTROL_TOKEN"]}` },
    body: JSON.stringify({ js, arg }),
  });
  const reply = (await response.json()) as { value: T; error?: string };
  if (!response.ok) throw new Error(`In the editor's page: ${reply.error}\n${js}`);
  return reply.value;
}

/** Presses keys one after another, named as Playwright does: `F1`, `Control+Z`, `Enter`. */
export async function press(...keys: readonly string[]): Promise<void> {
  await page("for (const key of arg) await page.keyboard.press(key);", keys);
}

/** Types text as a user does, key by key. */
export async function type(text: string): Promise<void> {
  await page("await page.keyboard.type(arg);", text);
}

/** Runs a command as a person does without a mouse: F1, its title, Enter. */
export async function runFromPalette(title: string): Promise<void> {
  await page("await runCommand(arg);", title);
}

/** Waits for the editor's quick input, types into it in place of what is there, and presses Enter. */
export async function answerQuickInput(text: string, row?: string): Promise<void> {
  await page(
    `const input = page.locator(".quick-input-widget input.input");
     await input.waitFor({ state: "visible", timeout: 20_000 });
     await page.keyboard.press("Control+A");
     await page.keyboard.type(arg.text);
     if (arg.row !== null) {
       const rows = page.locator(".quick-input-widget .monaco-list-row");
       await rows.filter({ hasText: arg.row }).first().waitFor({ state: "visible", timeout: 20_000 });
     }
     await page.keyboard.press("Enter");`,
    { text, row: row ?? null },
  );
}

/** Runs a command as `runFromPalette` does, and gives the file dialog that it opens a path. */
export async function runWithFile(title: string, path: string): Promise<void> {
  await page("await runWithFile(arg.title, arg.path);", { title, path });
}

/** What the browser says, in several words, when a page went away under a look or a click. */
const GONE = "/detached|navigat|destroyed|context with specified id/";

/** Takes a picture of the whole window and returns its path below `.vscode-test/screenshots`. */
export function screenshot(name: string): Promise<string> {
  return page<string>("return screenshot(arg);", name);
}

/** Runs the body of an async function inside the review webview, where `document` and `window` are
 *  the webview's own, and `arg` is what is given here. Waits until the webview shows. */
export function inReview<T = unknown>(js: string, arg: unknown = null): Promise<T> {
  // The webview forbids eval to its own scripts. Playwright evaluates from outside of that rule,
  // but only if the function itself is sent as text.
  const expression = `(async (arg) => {\n${js}\n})(${JSON.stringify(arg)})`;
  // What is sent only looks or sets, so it may run again where a page went away under it.
  return page<T>(
    `for (let tries = 1; ; tries++) {
       try {
         return await (await review()).evaluate(arg);
       } catch (error) {
         if (tries === 5 || !${GONE}.test(error.message)) throw error;
       }
     }`,
    expression,
  );
}

/** Clicks the first visible match in the review webview; waits until there is one. */
export async function clickInReview(selector: string): Promise<void> {
  await withMatches(selector, 30_000, "await all.first().click({timeout});");
}

/** Waits until the review webview has a visible match, and returns how many there are. */
export function countInReview(selector: string, timeoutMs = 20_000): Promise<number> {
  return withMatches<number>(
    selector,
    timeoutMs,
    "await all.first().waitFor({timeout}); return await all.count();",
  );
}

/** Runs `js` on the visible matches, again when the page of the webview is built anew meanwhile. */
function withMatches<T>(selector: string, timeoutMs: number, js: string): Promise<T> {
  return page<T>(
    `const end = Date.now() + arg.timeoutMs;
     for (;;) {
       const timeout = Math.max(1, end - Date.now());
       try {
         const all = (await review()).locator(arg.selector).filter({visible: true});
         ${js}
         return null;
       } catch (error) {
         if (!${GONE}.test(error.message) || end < Date.now()) throw error;
       }
     }`,
    { selector, timeoutMs },
  );
}

/** What the window and all its webviews wrote to the browser's console since the start, one line
 *  each with its level in front. Breaches of the content security policy appear here. */
export function consoleLines(): Promise<readonly string[]> {
  return page<readonly string[]>("return consoleLines();");
}

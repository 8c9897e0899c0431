import { strict as assert } from "node:assert";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import * as vscode from "vscode";
import { createHost, type Host } from "../../src/adapters/vscode/host.ts";
import { reviewHtml, reviewOptions } from "../../src/adapters/vscode/reviewHtml.ts";
import { openStore, STORE_FILE } from "../../src/adapters/node/sqliteStore.ts";
import type { CallRecord } from "../../src/app/record.ts";
import { extension, showReview } from "../harness/extension.ts";
import { countInReview, inReview, screenshot } from "../harness/page.ts";
import { editorFiles, type EditorFiles } from "../support/editorFiles.ts";

/** What a person reads in the panel when the store of calls cannot be what it is meant to be. */
describe("store notices in the panel", () => {
  let files: EditorFiles;
  let storage: string;
  const opened: vscode.Disposable[] = [];
  beforeEach(async () => {
    files = editorFiles();
    storage = files.path("storage");
    await vscode.commands.executeCommand("workbench.action.closeSidebar");
  });
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) one.dispose();
    await files.close();
    await showReview();
  });

  /** The extension's host on another storage folder, with a panel of its own as the one review that shows. */
  const start = (): Host => {
    const { extensionUri } = extension();
    const storageUri = vscode.Uri.file(storage);
    const context = { extensionUri, storageUri, globalStorageUri: storageUri };
    const output = vscode.window.createOutputChannel("Store Notices", { log: true });
    const changed = new vscode.EventEmitter<CallRecord>();
    const host = createHost(context as unknown as vscode.ExtensionContext, output, changed);
    const options = reviewOptions(extensionUri);
    const panel = vscode.window.createWebviewPanel("store-notices", "Store", 1, options);
    opened.push(output, changed, host, host.serveView(panel.webview, panel), panel);
    panel.webview.html = reviewHtml(panel.webview, extensionUri);
    return host;
  };
  const tells = async (notice: RegExp): Promise<void> => {
    await countInReview(".notice");
    const text = await inReview<string>("return document.querySelector('.notice').innerText;");
    assert.match(text, notice);
  };
  /** Whatever became of the store, calls are applied and have a card. */
  const works = async (host: Host): Promise<void> => {
    const path = files.write("a.txt", "one\n");
    const edits = [{ path, old_text: "one", new_text: "1" }];
    const result = await host.execute({
      tool: "edit_files",
      input: { edits },
      session: storage,
      source: "api",
    });
    assert.equal(result.isError, false, result.text);
    await countInReview('[data-testid="call-card"]:has-text("a.txt")');
  };

  it("a damaged store was set aside, and calls are kept in a new one", async () => {
    mkdirSync(storage);
    const damaged = "no database, and long enough to look at: ".repeat(50);
    writeFileSync(join(storage, STORE_FILE), damaged);
    const host = start();
    await tells(
      /The store of calls was damaged\. It was set aside as .*, and a new one was begun\./,
    );
    await screenshot("store-damaged");
    await works(host);
    const kept = readdirSync(storage)
      .filter((name) => name !== STORE_FILE)
      .map((name) => readFileSync(join(storage, name)))
      .filter((bytes) => bytes.equals(Buffer.from(damaged)));
    assert.equal(kept.length, 1);
  });

  it("a store of a newer version is left as it is, and calls are kept in memory", async () => {
    const store = await openStore({
      folder: storage,
      budgetBytes: 1_000_000,
      retentionDays: 1,
      now: Date.now,
    });
    await store.close();
    const file = join(storage, STORE_FILE);
    const database = new DatabaseSync(file);
    database.exec("PRAGMA journal_mode = DELETE; PRAGMA user_version = 9999");
    database.close();
    const before = readFileSync(file);
    const host = start();
    await tells(
      /Calls are kept in memory and are gone when this window closes: the store of calls was written by a newer version/,
    );
    await screenshot("store-newer");
    await works(host);
    assert.deepEqual(readFileSync(file), before);
  });

  it("a storage folder that cannot be made is named with the cause, and calls are kept in memory", async () => {
    // Permissions would not stop a test that runs as root; a file in the folder's place stops everybody.
    writeFileSync(storage, "a file");
    const host = start();
    await tells(/Calls are kept in memory and are gone when this window closes: .*(EEXIST|exist)/);
    await screenshot("store-nowhere");
    await works(host);
    assert.equal(readFileSync(storage).toString(), "a file");
  });
});

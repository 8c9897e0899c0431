import { strict as assert } from "node:assert";
import { canonicalEncoding } from "../../src/engine/index.ts";
import { assertDone, editorFiles, valueOf, type EditorFiles } from "./editorFiles.ts";
import { markOf, rawBytes, repertoireOf } from "./encodings.ts";

/** What no line of a text file is made of; an editor would warn of the separators. */
const NO_LINE = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{M}\u2028\u2029]/u;

/**
 * Tests that a document, open or closed, and the way past it write the same bytes: those that a codec which is not the
 * product's makes of the text.
 */
export function encodingTests(encodings: readonly string[]): void {
  let files: EditorFiles;
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(() => files.close());

  for (const encoding of encodings)
    it(encoding, async () => {
      const held = repertoireOf(encoding).held.filter((one) => !NO_LINE.test(one));
      // From all over the repertoire, so that every length and every trail byte has its chance.
      const step = Math.max(1, Math.floor(held.length / 300));
      const some = held.filter((_, i) => i % step === 0).join("");
      const added = held.slice(-12).join("");
      const text = (part: string): Buffer =>
        Buffer.concat([
          markOf(encoding),
          rawBytes(encoding, `${some}\r\n${added}${part}${some}\r\n`),
        ]);
      await files.set("files.encoding", /^utf/.test(encoding) ? "utf8" : encoding);
      const change = async (name: string): Promise<void> => {
        const base = await files.look(name);
        assert.equal(canonicalEncoding(valueOf(base.body).encoding), canonicalEncoding(encoding));
        assertDone(await files.change(base, "<OLD>", `[${added}]`));
        assert.equal(files.read(name).toString("hex"), text(`[${added}]`).toString("hex"));
      };
      for (const name of ["closed.txt", "open.txt", "bytes.txt"]) files.write(name, text("<OLD>"));
      await change("closed.txt");
      // The editor does not read UTF-32, so nobody can have such a file open.
      if (!encoding.startsWith("utf32")) {
        await files.show("open.txt");
        await change("open.txt");
      }
      await files.set("agentEditReview.textWayMaxBytes", 1);
      await change("bytes.txt");
    });
}

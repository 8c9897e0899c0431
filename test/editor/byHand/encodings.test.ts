// Not part of `npm test`: node test/harness/runEditorTests.ts --suites test/editor/byHand --grep "all encodings"
import { encodingTests } from "../../support/editorEncodings.ts";
import { ENCODING_NAMES } from "../../support/encodings.ts";

describe("all encodings: the document and the bytes say the same", () => {
  encodingTests(ENCODING_NAMES);
});

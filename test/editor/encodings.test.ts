import { encodingTests } from "../support/editorEncodings.ts";

// One of each kind; `byHand` has them all, which takes two minutes.
describe("encodings: the document and the bytes say the same", () => {
  encodingTests(["utf16be", "utf32le", "shiftjis", "gb18030", "cp950", "euckr", "windows1251"]);
});

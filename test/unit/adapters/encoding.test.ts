import * as fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { canonicalEncoding, reportedEncoding, sniff } from "../../../src/engine/index.ts";
import {
  decodeRegional,
  detectRegional,
  encodeRegional,
} from "../../../src/adapters/node/codecs.ts";
import { decodeFile } from "../../../src/adapters/node/textBody.ts";
import { decodeUnicode, encodeUnicode } from "../../../src/adapters/node/unicode.ts";

const UNICODE = ["utf8", "utf8bom", "utf16le", "utf16be", "utf32le", "utf32be"] as const;
const bytesOf = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);
const latin = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
const encoded = (text: string, encoding: string): Uint8Array =>
  new Uint8Array(iconv.encode(text, encoding));

const CHINESE = "这是测试文本，用来保存编码。\n端口为后来的默认值\n";
const JAPANESE = "これはテストの文章です。設定の初期値を変更しました。\n";
const KOREAN = "이것은 시험 문장입니다. 설정의 기본값을 변경했습니다.\n";
const TAIWANESE = "這是一個測試文件，用來確認編碼的正確性，請不要修改其中的內容。\n";
const RUSSIAN = "Это проверочный текст, в котором записаны настройки по умолчанию.\n";
const FRENCH = "Le café est déjà fermé, et la forêt était très loin de l'hôtel où nous étions.\n";

describe("sniffing", () => {
  it.each([
    ["utf8bom", bytesOf(0xef, 0xbb, 0xbf, 0x61), 3],
    ["utf16le", bytesOf(0xff, 0xfe, 0x61, 0), 2],
    ["utf16be", bytesOf(0xfe, 0xff, 0, 0x61), 2],
    ["utf32le", bytesOf(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), 4],
    ["utf32be", bytesOf(0, 0, 0xfe, 0xff, 0, 0, 0, 0x61), 4],
  ] as const)("reads the %s mark", (encoding, bytes, bomLength) => {
    expect(sniff(bytes)).toEqual({ kind: "bom", encoding, bomLength });
  });

  it.each([
    ["a NUL", latin("ab\0cd")],
    ["a NUL at the end of the scanned head", latin(`${"a".repeat(4095)}\0`)],
    ["UTF-16 without a mark", latin("h\0i\0\n\0")],
    ["a PNG without a NUL in its head", bytesOf(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
    ["a PDF", latin("%PDF-1.7\nhello")],
    ["one backspace near the start", latin("text\btext")],
    ["mostly control bytes far from the start", latin(`${"a".repeat(512)}${"\b".repeat(400)}`)],
  ])("calls %s binary", (_, bytes) => {
    expect(sniff(bytes)).toEqual({ kind: "binary" });
  });

  it.each([
    ["nothing", latin("")],
    ["plain text", latin("hello\r\n\tworld\f")],
    ["a terminal capture", latin("\x1b[31mred\x1b[0m")],
    ["a vertical tab", latin("a\vb")],
    ["text that begins like a bitmap", latin("BM is short for benchmark")],
    ["high bytes", latin("café")],
    ["a NUL far behind the head", latin(`${"a".repeat(4096)}\0`)],
  ])("takes %s for text", (_, bytes) => {
    expect(sniff(bytes)).toEqual({ kind: "unmarked" });
  });
});

describe("encoding names", () => {
  it.each([
    ["UTF-8", "utf8", "utf-8"],
    ["utf8bom", "utf8bom", "utf-8"],
    ["UTF-16LE", "utf16le", "utf-16le"],
    ["GB18030", "gb18030", "gb18030"],
    ["Big5", "cp950", "big5"],
    ["Shift_JIS", "shiftjis", "shift-jis"],
    ["EUC-KR", "euckr", "euc-kr"],
    ["windows-1252", "windows1252", "windows-1252"],
    ["ISO-8859-1", "iso88591", "iso-8859-1"],
  ])("%s is %s, told as %s", (spelled, canonical, reported) => {
    expect(canonicalEncoding(spelled)).toBe(canonical);
    expect(reportedEncoding(spelled)).toBe(reported);
  });
});

describe("Unicode codecs", () => {
  it("law: what decodes encodes back to the same bytes, and text survives", () => {
    const text = fc.string({ unit: "binary" }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(fc.constantFrom(...UNICODE), text, (encoding, value) => {
        const bytes = encodeUnicode(encoding, value);
        expect(bytes.ok && decodeUnicode(encoding, bytes.value)).toBe(value);
      }),
    );
  });

  it("law: any bytes decode to a text that gives them back, or not at all", () => {
    fc.assert(
      fc.property(fc.constantFrom(...UNICODE), fc.uint8Array(), (encoding, bytes) => {
        const text = decodeUnicode(encoding, bytes);
        fc.pre(text !== null);
        expect(encodeUnicode(encoding, text ?? "")).toEqual({ ok: true, value: bytes });
      }),
    );
  });

  it.each(UNICODE)("%s holds no half of a surrogate pair", (encoding) => {
    const problem = { ok: false, problem: { codePoint: 0xd83d } };
    expect(encodeUnicode(encoding, "a\ud83d!")).toEqual(problem);
  });

  it("keeps a second byte order mark as text", () => {
    expect(decodeUnicode("utf8bom", bytesOf(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x61))).toBe(
      "\ufeffa",
    );
  });

  it.each([
    ["utf8", bytesOf(0xc0, 0xaf)],
    ["utf8", bytesOf(0xed, 0xa0, 0x80)],
    ["utf16le", bytesOf(0xff, 0xfe, 0x61)],
    ["utf16le", bytesOf(0xff, 0xfe, 0x00, 0xd8)],
    ["utf32le", bytesOf(0xff, 0xfe, 0, 0, 0, 0, 0x11, 0)],
  ] as const)("refuses malformed %s", (encoding, bytes) => {
    expect(decodeUnicode(encoding, bytes)).toBeNull();
  });
});

describe("regional codecs", () => {
  it("gives the bytes back or no text", () => {
    const bytes = encoded(CHINESE, "gb18030");
    expect(decodeRegional("gb18030", bytes)).toBe(CHINESE);
    expect(decodeRegional("shiftjis", bytesOf(0x61, 0xff, 0xff))).toBeNull();
    expect(decodeRegional("no-such-encoding", bytes)).toBeNull();
  });

  it("names the first code point that does not fit instead of writing a question mark", () => {
    expect(encodeRegional("iso88591", "é 1 € 2 漢")).toEqual({
      ok: false,
      problem: { codePoint: 0x20ac },
    });
    expect(encodeRegional("gbk", "好 \ud83d\ude00")).toEqual({
      ok: false,
      problem: { codePoint: 0x1f600 },
    });
    expect(encodeRegional("iso88591", "what? é")).toEqual({ ok: true, value: latin("what? é") });
  });

  it.each([
    ["gb18030", CHINESE],
    ["shiftjis", JAPANESE],
    ["euckr", KOREAN],
    ["cp950", TAIWANESE],
    ["windows1251", RUSSIAN],
    ["iso88591", FRENCH],
  ])("detects %s", (encoding, text) => {
    expect(detectRegional(encoded(text, encoding)).found).toEqual({ encoding, text });
  });

  it("finds the encoding of a single comment far down in a long file", () => {
    const text = `${"const a = 1;\n".repeat(20_000)}// ${CHINESE}`;
    expect(detectRegional(encoded(text, "gb18030")).found).toEqual({ encoding: "gb18030", text });
  });

  it.each([
    ["two Chinese characters, which are Latin letters as well", encoded("# 你好\n", "gbk")],
    ["UTF-8 with a broken character in it", brokenUtf8()],
    ["a C1 control, which no text holds", bytesOf(0x61, 0x81, 0x0a)],
  ])("does not guess at %s", (_, bytes) => {
    expect(detectRegional(bytes).found).toBeNull();
  });
});

function brokenUtf8(): Uint8Array {
  const bytes = new TextEncoder().encode(FRENCH.repeat(3));
  return Uint8Array.from([...bytes, 0xe9, 0x0a]);
}

describe("reading a file as text", () => {
  it("believes the byte order mark before any setting", async () => {
    const body = await decodeFile("a.txt", bytesOf(0xff, 0xfe, 0x61, 0), ["gbk"]);
    expect(body.ok && [body.value.encoding, body.value.text]).toEqual(["utf16le", "a"]);
  });

  it("believes an explicit setting before UTF-8", async () => {
    const bytes = encoded("你好", "gbk");
    const body = await decodeFile("a.txt", bytes, ["gbk"]);
    expect(body.ok && [body.value.encoding, body.value.text]).toEqual(["gbk", "你好"]);
    expect(body.ok && body.value.encode("你好!")).toEqual({
      ok: true,
      value: encoded("你好!", "gbk"),
    });
  });

  it("falls back to UTF-8 where the setting does not fit the bytes", async () => {
    const bytes = new TextEncoder().encode("日本\u{1f600}語x");
    const body = await decodeFile("a.txt", bytes, ["euckr"]);
    expect(body.ok && [body.value.encoding, body.value.text]).toEqual(["utf8", "日本\u{1f600}語x"]);
  });

  it("takes UTF-8 first where an open document says so, and the next name where it is wrong", async () => {
    const utf8 = await decodeFile("a.txt", new TextEncoder().encode("你好吗呢"), ["utf8", "gbk"]);
    expect(utf8.ok && utf8.value.encoding).toBe("utf8");
    const gbk = await decodeFile("a.txt", encoded("你好", "gbk"), ["utf8", "gbk"]);
    expect(gbk.ok && gbk.value.encoding).toBe("gbk");
  });

  it("names what it tried", async () => {
    const body = await decodeFile("a.txt", bytesOf(0x61, 0x81, 0x0a), ["shiftjis"]);
    expect(body.ok).toBe(false);
    expect(!body.ok && body.problem).toMatchObject({ code: "file-undecodable", path: "a.txt" });
    expect(!body.ok && "tried" in body.problem && body.problem.tried.slice(0, 2)).toEqual([
      "shiftjis",
      "utf8",
    ]);
  });

  it("does not guess in Go source", async () => {
    const body = await decodeFile("main.go", latin(FRENCH), []);
    expect(!body.ok && body.problem).toEqual({
      code: "file-undecodable",
      path: "main.go",
      tried: ["utf8"],
    });
  });
});

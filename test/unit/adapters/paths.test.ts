import { describe, expect, it } from "vitest";
import { cleanPath, shownPath, type PathRules } from "../../../src/adapters/node/paths.ts";

const POSIX: PathRules = {
  platform: "posix",
  folders: [{ name: "ws", path: "/home/u/ws" }],
  scheme: "file",
  authority: "",
};
const WINDOWS: PathRules = {
  platform: "win32",
  folders: [
    { name: "ws", path: "C:\\u\\ws" },
    { name: "share", path: "\\\\server\\code" },
  ],
  scheme: "file",
  authority: "",
};
const REMOTE: PathRules = { ...POSIX, scheme: "vscode-vfs", authority: "github" };

function clean(path: string, rules = POSIX, relative = false): string | readonly string[] {
  const result = cleanPath(path, relative, rules);
  if (!result.ok) return result.problem.code;
  const { candidates } = result.value;
  return candidates.length === 1 ? candidates[0] : candidates;
}

describe("a path on a POSIX disk", () => {
  it.each([
    ["/home/u/ws/a.ts", "/home/u/ws/a.ts"],
    ["  /home/u/ws/a.ts\n", "/home/u/ws/a.ts"],
    ["/home/u/ws//b/./c/../a.ts", "/home/u/ws/b/a.ts"],
    ["/home/u/ws/../../../../etc/passwd", "/etc/passwd"],
    ["/home/u/ws/a b#?%.ts", "/home/u/ws/a b#?%.ts"],
    ["/home/u/ws/\ud83d\ude00\\", "/home/u/ws/\ud83d\ude00\\"],
    ["file:///home/u/ws/a%20b.ts", "/home/u/ws/a b.ts"],
    ["FILE://localhost/home/u/ws/a.ts", "/home/u/ws/a.ts"],
    ["file:/home/u/ws/a.ts", "/home/u/ws/a.ts"],
    ["file:///home/u/ws/100%.ts", "/home/u/ws/100%.ts"],
    ["file:///home/u/ws/%2e%2e/x", "/home/u/x"],
  ])("%j is %j", (path, expected) => {
    expect(clean(path)).toEqual(expected);
  });

  it.each([
    ["", "path-empty"],
    [" \t\n", "path-empty"],
    ["src/a.ts", "path-not-absolute"],
    ["~/a.ts", "path-not-absolute"],
    ["~", "path-not-absolute"],
    ["C:\\u\\a.ts", "path-not-absolute"],
    ["/home/u/ws/a\0.ts", "path-control-character"],
    ["/home/u/ws/a\nb.ts", "path-control-character"],
    ["/home/u/ws/a\u0085.ts", "path-control-character"],
    ["file:///home/u/ws/a%00.ts", "path-control-character"],
    ["/dev/null", "path-device"],
    ["/proc/self/fd/1", "path-device"],
    ["/home/../dev/tty", "path-device"],
    ["\\\\.\\pipe\\x", "path-device"],
    ["//./pipe/x", "path-device"],
    ["https://example.com/a.ts", "path-foreign-scheme"],
    ["vscode-vfs://github/a.ts", "path-foreign-scheme"],
    ["untitled:Untitled-1", "path-foreign-scheme"],
    ["file://host/share/a.ts", "path-outside"],
    ["/home/u/ws/a\ud83d.ts", "path-half-character"],
    ["/home/u/ws/new/", "file-is-folder"],
    ["/home/u/ws/new/.", "file-is-folder"],
  ])("%j is refused: %s", (path, code) => {
    expect(clean(path)).toBe(code);
  });

  it("tells the control character and the scheme", () => {
    expect(cleanPath("/a\u0007", false, POSIX)).toMatchObject({ problem: { codePoint: 7 } });
    expect(cleanPath("HTTP://x/y", false, POSIX)).toMatchObject({ problem: { scheme: "http" } });
  });

  it("takes a relative path from the folder only when asked to", () => {
    expect(clean("./src//a.ts", POSIX, true)).toBe("/home/u/ws/src/a.ts");
    expect(clean("note:today.md", POSIX, true)).toBe("/home/u/ws/note:today.md");
    expect(clean("~lock.txt", POSIX, true)).toBe("/home/u/ws/~lock.txt");
    expect(clean("~/a.ts", POSIX, true)).toBe("path-not-absolute");
    expect(clean("../up.ts", POSIX, true)).toBe("/home/u/up.ts");
  });

  it("has every folder as a candidate, a folder of that name first", () => {
    const rules = {
      ...POSIX,
      folders: [
        { name: "app", path: "/w/app" },
        { name: "lib", path: "/w/lib" },
      ],
    };
    expect(clean("lib/a.ts", rules, true)).toEqual([
      "/w/lib/a.ts",
      "/w/app/lib/a.ts",
      "/w/lib/lib/a.ts",
    ]);
    expect(clean("a.ts", rules, true)).toEqual(["/w/app/a.ts", "/w/lib/a.ts"]);
  });

  it("refuses a relative path where no folder is open", () => {
    expect(clean("a.ts", { ...POSIX, folders: [] }, true)).toBe("path-not-absolute");
  });
});

describe("a path on Windows", () => {
  it.each([
    ["C:\\u\\ws\\a.ts", "C:\\u\\ws\\a.ts"],
    ["c:/u/ws/b/../a.ts", "c:\\u\\ws\\a.ts"],
    ["file:///c%3A/u/ws/a.ts", "c:\\u\\ws\\a.ts"],
    ["file:///C:/u/ws/a.ts", "C:\\u\\ws\\a.ts"],
    ["\\\\server\\code\\a.ts", "\\\\server\\code\\a.ts"],
    ["file://server/code/a.ts", "\\\\server\\code\\a.ts"],
  ])("%j is %j", (path, expected) => {
    expect(clean(path, WINDOWS)).toBe(expected);
  });

  it.each([
    ["C:a.ts", "path-not-absolute"],
    ["\\u\\ws\\a.ts", "path-not-absolute"],
    ["C:\\u\\ws\\NUL", "path-device"],
    ["C:\\u\\ws\\con.txt", "path-device"],
    ["C:\\u\\ws\\com1", "path-device"],
    ["C:\\u\\ws\\a.ts:hidden", "path-device"],
    ["C:\\u\\ws\\new\\", "file-is-folder"],
    ["C:/u/ws/new/", "file-is-folder"],
    ["C:\\u\\ws\\a.ts.", "path-device"],
    ["\\\\?\\C:\\u\\ws\\a.ts", "path-device"],
    ["\\\\evil\\share\\a.ts", "path-outside"],
    ["//evil/share/a.ts", "path-outside"],
    ["\\\\server\\code2\\a.ts", "path-outside"],
  ])("%j is refused: %s", (path, code) => {
    expect(clean(path, WINDOWS)).toBe(code);
    expect(clean(path, WINDOWS, true)).toBe(code);
  });
});

describe("a path in a virtual workspace", () => {
  it.each([
    ["vscode-vfs://github/home/u/ws/a.ts", "/home/u/ws/a.ts"],
    ["/home/u/ws/a.ts", "/home/u/ws/a.ts"],
    ["vscode-vfs://gitlab/home/u/ws/a.ts", "path-outside"],
    ["file:///home/u/ws/a.ts", "path-foreign-scheme"],
  ])("%j is %j", (path, expected) => {
    expect(clean(path, REMOTE)).toBe(expected);
  });
});

describe("the shown path", () => {
  it("is relative to the folder that holds it, else absolute", () => {
    expect(shownPath("/home/u/ws/src/a.ts", "/other/a.ts", POSIX)).toBe("src/a.ts");
    expect(shownPath("/link/a.ts", "/home/u/ws/a.ts", POSIX)).toBe("a.ts");
    expect(shownPath("/etc/hosts", "/etc/hosts", POSIX)).toBe("/etc/hosts");
    expect(shownPath("C:\\u\\ws\\src\\a.ts", "C:\\u\\ws\\src\\a.ts", WINDOWS)).toBe("src/a.ts");
  });
});

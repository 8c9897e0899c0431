import type { CallCard } from "../../src/protocol/cards.ts";
import { call, diff, file, longDiff, NOW } from "./build.ts";

/** How a call of a transcript differs from one that ran here: it has no status. */
const IMPORTED: Partial<CallCard> = {
  source: "import",
  badges: ["imported"],
  startedAt: Date.UTC(2026, 8, 28, 9, 30, 0),
  endedAt: Date.UTC(2026, 8, 28, 9, 30, 0),
  status: undefined,
};

/** Every state a card can be in, by name. The gallery draws them; the tests of the panel use them too. */
export const STATES = {
  applied: call("applied", [
    file("src/server/config.ts", {
      edits: [0, 1],
      diff: diff(
        [
          14,
          14,
          ' export const limits = {\n-  port: «8080»,\n+  port: «3000»,\n+  host: "127.0.0.1",\n   timeoutMs: 5_000,\n };',
        ],
        [
          52,
          53,
          " export function start() {\n-  listen(limits.port);\n+  listen(limits.port«, limits.host»);\n }",
        ],
      ),
    }),
    file("src/server/index.ts", {
      edits: [2],
      diff: diff([3, 3, '-import "./old";\n+import "./new";']),
    }),
    file("README.md", {
      edits: [3],
      diff: diff([1, 1, " # Server\n+\n+Listens on port 3000.\n "]),
    }),
  ]),
  /** A call after a person looked at it: kept, taken back, taken back in part, still to review. */
  reviewed: call("reviewed", [
    file("src/kept.ts", { diff: diff([1, 1, "-a\n+b"]), undoable: true, reviewed: true }),
    file("src/gone.ts", { diff: diff([1, 1, "-a\n+b"]), undone: "all" }),
    file("src/half.ts", {
      diff: withUndone(diff([1, 1, "-a\n+b"], [40, 40, " x\n-y\n+z"]), 0),
      undoable: true,
      undone: "part",
    }),
    file("src/open.ts", { diff: diff([7, 7, "-a\n+b"], [20, 20, "+c"]), undoable: true }),
  ]),
  undoCall: call(
    "undoCall",
    [file("src/gone.ts", { diff: diff([1, 1, "-b\n+a"]), undoable: true })],
    {
      tool: "undo",
      source: "undo",
      undoOf: "reviewed",
    },
  ),
  undoRefused: call(
    "undoRefused",
    [
      file("src/later.ts", {
        status: "rejected",
        error: {
          message: "src/later.ts has changed where the call had written.",
          advice:
            "Compare the versions and take over what you need; nothing was undone in this file.",
        },
      }),
    ],
    { tool: "undo", source: "undo", undoOf: "applied" },
  ),
  appliedOne: call("appliedOne", [
    file("alpha.ts", { diff: diff([1, 1, "-let a = «1»;\n+let a = «2»;"]) }),
  ]),
  appliedNothing: call("appliedNothing", [
    file("src/same.ts", { diff: { added: 0, removed: 0, hunks: [], rowsLeftOut: 0 } }),
  ]),
  appliedNotes: call(
    "appliedNotes",
    [
      file("docs/überblick.txt", {
        diff: diff([7, 7, "-Die Länge ist «12».\n+Die Länge ist «14»."]),
        tolerance: ["trailing-whitespace", "surrounding-whitespace"],
        encoding: "windows1252",
        unsaved: true,
      }),
    ],
    { badges: ["unsaved"] },
  ),
  ambiguous: call("ambiguous", [
    file("server/limits.ts", {
      status: "rejected",
      edits: [3, 4],
      error: {
        message: "old_text matches 3 occurrences (expected exactly 1).",
        advice:
          "Matches at lines 12, 48 and 90. Include more surrounding context, or set replace_all.",
        near: [
          { number: 12, text: "  retries: 2," },
          { number: 48, text: "  retries: 2," },
          { number: 90, text: "  retries: 2," },
        ],
      },
      resend: '{"edits":[{"path":"server/limits.ts","old_text":"…","new_text":"…"}]}',
      requested: "--- old_text\n  retries: 2,\n--- new_text\n  retries: 5,",
    }),
    file("server/config.ts", {
      edits: [0, 1, 2],
      diff: diff([14, 14, " export const limits = {\n-  port: «8080»,\n+  port: «3000»,"]),
    }),
    file("server/index.ts", {
      status: "already_applied",
      edits: [5],
      note: "edits[5] matched your previous call and was not applied again.",
      appliedBy: "applied",
    }),
  ]),
  notFound: call("notFound", [
    file("src/retry/backoff.ts", {
      status: "rejected",
      edits: [0],
      error: {
        message: "old_text was not found in the file.",
        advice:
          "The closest text starts at line 31 and differs in its second line. Read the file again.",
        near: [
          { number: 31, text: "export function delay(attempt: number): number {" },
          { number: 32, text: "\treturn Math.min(cap, base * 2 ** attempt);" },
          { number: 33, text: "}" },
        ],
      },
      resend: "edits[0] for src/retry/backoff.ts",
      requested:
        "--- old_text\nreturn base * 2 ** attempt;\n--- new_text\nreturn jitter(base * 2 ** attempt);",
    }),
    file("src/retry/index.ts", {
      status: "rejected",
      edits: [1, 2, 4, 5, 6, 9, 12],
      error: { message: "The file changed on disk after it was read." },
      resend: "edits[1]… for src/retry/index.ts",
    }),
  ]),
  alreadyApplied: call("alreadyApplied", [
    file("server/index.ts", {
      status: "already_applied",
      edits: [0],
      note: "edits[0] matched your previous call and was not applied again.",
      appliedBy: "applied",
    }),
  ]),
  unknown: call("unknown", [
    file("src/data.ts", {
      status: "unknown",
      edits: [0],
      error: {
        message: "The file was being written and could not be read back.",
        advice: "Read src/data.ts again before resending its edits.",
      },
      comparable: true,
    }),
  ]),
  waiting: call(
    "waiting",
    [
      file(".vscode/settings.json", {
        phase: "proposed",
        diff: diff([
          4,
          4,
          '   "editor.tabSize": 2,\n+  "editor.rulers": [100],\n   "files.eol": "auto"',
        ]),
      }),
      file(".env.local", {
        phase: "proposed",
        diff: diff([2, 2, "-MODE=«dev»\n+MODE=«test»"]),
      }),
    ].map(withoutStatus),
    {
      phase: "approval",
      tool: "edit",
      model: "glm-5.2",
      approval: { hash: "c0ffee", reason: "Files in .vscode/** ask." },
    },
  ),
  applying: call(
    "applying",
    [
      file("src/retry/backoff.ts", {
        operation: "add",
        diff: diff([0, 1, "+export const base = 100;\n+export const cap = 5_000;"]),
      }),
      file("src/retry/index.ts", {
        diff: diff([1, 1, '+export * from "./backoff";']),
      }),
      withoutStatus(file("src/client.ts", { phase: "running" })),
    ],
    { phase: "applying", tool: "apply_patch", model: "gpt-5.5", source: "@edits" },
  ),
  received: call("received", [], {
    phase: "received",
    tool: "apply_patch",
    model: "gpt-5.5",
    requested: "*** Begin Patch\n*** Update File: src/client.ts\n@@ class Client\n-  retry = fal",
  }),
  receivedFiles: call(
    "receivedFiles",
    [
      withoutStatus(file("src/a.ts", { phase: "waiting", requested: '{"old_text":"fo' })),
      withoutStatus(file("src/b.ts", { phase: "waiting" })),
    ],
    { phase: "received" },
  ),
  planning: call("planning", [withoutStatus(file("src/a.ts", { phase: "waiting" }))], {
    phase: "planning",
  }),
  queued: call("queued", [], { phase: "queued" }),
  wholeCall: call("wholeCall", [], {
    status: "error",
    error: {
      message: "edits[2].path is missing.",
      advice: "Give each edit a path.\nNo files were applied.",
    },
    requested: '{\n  "edits": [\n    {"path": "a.ts", "old_text": "1", "new_text": "2"}\n  ]\n}',
  }),
  invalidInput: call("invalidInput", [], {
    status: "error",
    error: {
      message: "The arguments are not valid JSON: unexpected end of text at 1:41.",
      advice: "Send the call again as one JSON object.",
    },
    requested: '{"edits":[{"path":"src/a.ts","old_text":"',
  }),
  legacy: call(
    "legacy",
    [file("src/old.ts"), file("src/older.ts", { diff: diff([1, 1, "-a\n+b"]) })],
    {
      badges: ["legacy"],
      startedAt: Date.UTC(2026, 2, 3, 8, 0, 0),
    },
  ),
  patch: call(
    "patch",
    [
      file("src/new.ts", {
        operation: "add",
        operations: ["Add File: src/new.ts"],
        diff: diff([0, 1, '+export const fresh = "«new»";']),
      }),
      file("src/client.ts", {
        operations: ["Update File: src/client.ts"],
        diff: diff([20, 20, " class Client {\n-  retry = «false»;\n+  retry = «true»;\n }"]),
      }),
      file("src/gone.ts", {
        operation: "delete",
        operations: ["Delete File: src/gone.ts"],
        diff: diff([1, 0, "-export {};"]),
      }),
      file("src/net/http.ts", {
        operation: "move",
        movedFrom: "src/http.ts",
        operations: ["Update File: src/http.ts", "Move to: src/net/http.ts"],
        diff: diff([1, 1, '-import "«./»url";\n+import "«../»url";']),
      }),
    ],
    { tool: "apply_patch", model: "gpt-5.5", source: "lm-tool", badges: ["policy"] },
  ),
  failedGroup: call(
    "failedGroup",
    [
      file("src/server.ts", {
        status: "rejected",
        operations: ["Update File: src/server.ts", "Delete File: src/server.ts"],
        error: {
          message: "Hunk 2 does not fit: its context is not in the file.",
          advice: "None of the operations on src/server.ts were applied. Send all of them again.",
          near: [{ number: 88, text: "  return server.close();" }],
        },
        resend: "*** Begin Patch\n*** Update File: src/server.ts\n…\n*** End Patch",
        requested: "@@ stop()\n-  return server.shut();\n+  return server.close();",
      }),
      file("src/ok.ts", { operation: "add", diff: diff([0, 1, "+export {};"]) }),
    ],
    { tool: "apply_patch", model: "gpt-5.5" },
  ),
  interrupted: call(
    "interrupted",
    [
      file("src/done.ts", { diff: diff([1, 1, "-a\n+b"]) }),
      file("src/never.ts", {
        status: "rejected",
        edits: [1],
        error: { message: "not sent because the tool call was interrupted" },
      }),
    ],
    { phase: "interrupted" },
  ),
  replay: call("replay", [file("src/a.ts", { diff: diff([1, 1, "-a\n+b"]) })], {
    source: "replay",
    badges: ["replay", "policy"],
    endedAt: NOW + 83_000,
  }),
  /** A replay that waits: what it would do, and what it would not. */
  dryRun: call(
    "dryRun",
    [
      file("src/limits.ts", {
        status: "rejected",
        edits: [1],
        error: {
          message: "old_text was not found in the file.",
          advice: "Read src/limits.ts and send its edits again with the text it has now.",
        },
        resend: "edits[1]",
      }),
      withoutStatus(
        file("src/server.ts", {
          phase: "proposed",
          edits: [0],
          diff: diff([9, 9, " start();\n-listen(«80»);\n+listen(«8080»);"]),
        }),
      ),
      file("src/index.ts", {
        status: "already_applied",
        edits: [2],
        note: "edits[2] matched your previous call and was not applied again.",
      }),
    ],
    {
      phase: "approval",
      source: "replay",
      badges: ["replay"],
      approval: { hash: "c0ffee" },
    },
  ),
  /** From a transcript: what came of it somewhere else says nothing about these files. */
  imported: call(
    "imported",
    [
      withoutStatus(file("src/server.ts", { phase: "waiting" })),
      withoutStatus(file("src/new.ts", { phase: "waiting", operation: "add" })),
    ],
    IMPORTED,
  ),
  importedText: call("importedText", [], {
    ...IMPORTED,
    tool: "apply_patch",
    requested: "*** Begin Patch\n*** Update File: src/client.ts\n@@ class Client\n-  retry = fal",
  }),
  longPath: call("longPath", [
    file(
      "packages/workbench/contrib/multiDiffEditor/browser/scmMultiDiffSourceResolver/somewhat.deeper/thing.ts",
      { diff: diff([1, 1, "-a\n+b"]) },
    ),
    file(
      "src/aVeryLongFileNameThatNobodyWouldEverWriteButAGeneratorDoes.generated.integration.test.ts",
      {
        status: "rejected",
        edits: [0],
        error: { message: "The file is read-only." },
        resend: "edits[0]",
      },
    ),
  ]),
  longLine: call("longLine", [
    file("dist/min.js", {
      diff: diff([
        1,
        1,
        `-!function(){${"var a=1;".repeat(40)}}()\n+!function(){${"var a=2;".repeat(400)}}()`,
      ]),
    }),
  ]),
  unicode: call("unicode", [
    file("src/שלום/عربي.ts", {
      diff: diff([
        1,
        1,
        `-const greeting = "«שלום עולם»"; // 👩‍👩‍👧\n+const greeting = "«مرحبا بالعالم»"; // 🇩🇪\n+if (isAdmin\u202e /* begin \u2066 */) {}\n+\tconst zero\u200bwidth = "日本語";`,
      ]),
    }),
  ]),
  endings: call("endings", [file("win.bat", { diff: endingsDiff() })]),
  manyFiles: call(
    "manyFiles",
    Array.from({ length: 14 }, (_, i) =>
      file(`src/parts/part${i}.ts`, {
        diff: diff([1, 1, `-export const n = «${i}»;\n+export const n = «${i + 1}»;`]),
      }),
    ),
  ),
  long: call("long", [file("src/generated/table.ts", { diff: longDiff(20_000) })]),
} as const satisfies Record<string, CallCard>;

function withUndone(card: ReturnType<typeof diff>, index: number): ReturnType<typeof diff> {
  const hunks = card.hunks.map((hunk, i) => (i === index ? { ...hunk, undone: true } : hunk));
  return { ...card, hunks };
}

/** A file that is under way has no status yet. */
function withoutStatus(card: ReturnType<typeof file>): ReturnType<typeof file> {
  const rest = { ...card };
  delete rest.status;
  return rest;
}

/** Line endings change and nothing else does; the last line loses its own. */
function endingsDiff(): ReturnType<typeof diff> {
  const made = diff([1, 1, "-@echo off\n-pause\n+@echo off\n+pause"]);
  const hunks = made.hunks.map((one) => ({
    ...one,
    rows: one.rows.map((row, i) => ({
      ...row,
      ...(row.kind === "removed" ? { ending: "crlf" as const } : {}),
      ...(i === 3 ? { unterminated: true } : {}),
    })),
  }));
  return { ...made, hunks };
}

/** `count` calls of all kinds, one a minute, the last one a minute ago. */
export function manyCalls(count: number): readonly CallCard[] {
  const kinds = [
    STATES.applied,
    STATES.ambiguous,
    STATES.patch,
    STATES.alreadyApplied,
    STATES.notFound,
  ];
  return Array.from({ length: count }, (_, i) => {
    const kind = kinds[i % kinds.length] ?? STATES.applied;
    const startedAt = NOW - (i + 1) * 60_000;
    return { ...kind, id: `many-${count - i}`, startedAt, endedAt: startedAt + 38 };
  });
}

import { describe, expect, test } from "vitest";
import { createRetryNotes, retryNote } from "../../../src/app/retryNotes.ts";

const attempt = { session: "s", file: "/w/a.ts", path: "a.ts" };

describe("repeated failures", () => {
  test("the first one is told without a note, each further one with its number", () => {
    const notes = createRetryNotes();
    expect(notes.failed(attempt)).toBeNull();
    expect(notes.failed(attempt)).toBe(
      "Note: 2 repeated approximate-match failures for a.ts. The target text likely drifted beyond what the displayed difference shows: read the target range fresh (read with offset/limit), rebuild the old text from that output, or switch to write for a whole-block replacement. Do not retry the same old text from memory.",
    );
    expect(notes.failed(attempt)).toBe(retryNote(3, "a.ts"));
  });

  test("are counted by real file, whatever the path was called", () => {
    const notes = createRetryNotes();
    notes.failed(attempt);
    expect(notes.failed({ ...attempt, path: "./a.ts" })).toBe(retryNote(2, "./a.ts"));
    expect(notes.failed({ ...attempt, file: "/w/b.ts" })).toBeNull();
    expect(notes.failed({ ...attempt, session: "t" })).toBeNull();
  });

  test("a success on the file starts over, one on another file does not", () => {
    const notes = createRetryNotes();
    notes.failed(attempt);
    notes.succeeded("s", "/w/b.ts");
    notes.succeeded("t", "/w/a.ts");
    expect(notes.failed(attempt)).not.toBeNull();
    notes.succeeded("s", "/w/a.ts");
    expect(notes.failed(attempt)).toBeNull();
  });

  test("a new turn starts over, for its session only", () => {
    const notes = createRetryNotes();
    notes.failed(attempt);
    notes.failed({ ...attempt, session: "t" });
    notes.turned("s");
    expect(notes.failed(attempt)).toBeNull();
    expect(notes.failed({ ...attempt, session: "t" })).not.toBeNull();
  });

  test("what is remembered is bounded: the oldest is forgotten first", () => {
    const notes = createRetryNotes();
    notes.failed(attempt);
    for (let i = 0; i < 1_000; i++) notes.failed({ ...attempt, file: `/w/${i}` });
    expect(notes.failed(attempt)).toBeNull();
    for (let i = 0; i < 200; i++) notes.failed({ ...attempt, session: `s${i}` });
    expect(notes.failed(attempt)).toBeNull();
  });
});

import { describe, expect, test } from "vitest";
import type { CallRecord } from "../../../src/app/record.ts";
import { takenBack } from "../../../src/app/reviewState.ts";
import { runUndo } from "../../../src/app/runUndo.ts";
import { createUndoWorld, replacing, type UndoWorld } from "./undoWorld.ts";

const TEXT = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join("");

function statuses(undo: CallRecord): readonly (string | undefined)[] {
  return undo.files.map(({ outcome }) => outcome?.status);
}

function errorOf(undo: CallRecord): string {
  return undo.files[0]?.outcome?.error?.message ?? "";
}

/** The user, or anything else outside the product, changes a file. */
function type(world: UndoWorld, path: string, old: string, insert: string): void {
  const text = world.workspace.text(path) ?? "";
  if (!text.includes(old)) throw new Error(`${old} is not in ${path}`);
  world.workspace.put(
    path,
    text.replace(old, () => insert),
  );
}

describe("text", () => {
  test("undo right after the call gives the file as it was, and undo of that the call's text again", async () => {
    for (const text of [
      TEXT,
      TEXT.replaceAll("\n", "\r\n"),
      "line 5\nno end",
      "line 5\rx\r",
      "\ufeffline 5\n",
    ]) {
      const world = createUndoWorld({ "a.txt": text });
      const call = await world.call({
        "a.txt": { kind: "edit", splices: replacing(["line 5", "FIVE\nfive"]) },
      });
      const after = world.workspace.bytes("a.txt");
      const undo = await world.undo(call);
      expect(statuses(undo)).toEqual(["applied"]);
      expect(world.workspace.text("a.txt")).toBe(text);
      const redo = await world.undo(undo);
      expect(statuses(redo)).toEqual(["applied"]);
      expect(world.workspace.bytes("a.txt")).toEqual(after);
      await world.undo(redo);
      expect(world.workspace.text("a.txt")).toBe(text);
    }
  });

  test("a later call and the user's own lines stay", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const first = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 5\n", "FIVE\n"]) },
    });
    await world.call({ "a.txt": { kind: "edit", splices: replacing(["line 20\n", "TWENTY\n"]) } });
    type(world, "a.txt", "line 1\n", "mine\nline 1\n");
    expect(statuses(await world.undo(first))).toEqual(["applied"]);
    expect(world.workspace.text("a.txt")).toBe("mine\n" + TEXT.replace("line 20\n", "TWENTY\n"));
  });

  test("a line that a later call changed is refused, and the later call is named", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const first = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 5\n", "FIVE\n"]) },
    });
    const second = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["FIVE\n", "five\n"]) },
    });
    const before = world.workspace.text("a.txt");
    const undo = await world.undo(first);
    expect(undo.result).toMatchObject({ status: "error", isError: true });
    // Where the file is now: the view of all three versions needs it.
    expect(undo.files[0]).toMatchObject({ absolute: "/ws/a.txt", shown: "a.txt" });
    expect(errorOf(undo)).toContain("Line 5 of a.txt changed after the call");
    expect(errorOf(undo)).toContain(second.id);
    expect(world.workspace.text("a.txt")).toBe(before);
  });

  test("later calls are looked for only where a refusal names them, and it does without when the store fails", async () => {
    const files = Array.from({ length: 20 }, (_, i) => `f${i}.txt`);
    const world = createUndoWorld(Object.fromEntries(files.map((path) => [path, TEXT])));
    const edit = { kind: "edit", splices: replacing(["line 5\n", "FIVE\n"]) } as const;
    const call = await world.call(Object.fromEntries(files.map((path) => [path, edit])));
    let asked = 0;
    const bugs: unknown[] = [];
    const ports = {
      ...world.ports,
      store: {
        ...world.store,
        find: () => {
          asked++;
          return Promise.reject(new Error("the store fails"));
        },
      },
      logBug: (error: unknown) => void bugs.push(error),
    };
    type(world, "f7.txt", "FIVE", "five");
    const undo = await runUndo(ports, call, {}, new AbortController().signal);
    const refused = undo.files.filter(({ outcome }) => outcome?.status === "rejected");
    expect(refused.map(({ outcome }) => outcome?.error?.message)).toEqual([
      "Line 5 of f7.txt changed after the call.",
    ]);
    expect([asked, bugs.length]).toEqual([1, 1]);
  });

  test("unsaved text of an open editor is what undo works on, and it stays unsaved", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const call = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 5\n", "FIVE\n"]) },
    });
    const document = world.workspace.open("a.txt");
    document.type((world.workspace.text("a.txt") ?? "").replace("line 9\n", "mine\n"));
    const undo = await world.undo(call);
    expect(statuses(undo)).toEqual(["applied"]);
    expect(undo.files[0]?.outcome?.unsaved).toBe(true);
    expect(document.text).toBe(TEXT.replace("line 9\n", "mine\n"));
  });

  test("undo twice does nothing the second time, and says so", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const call = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 5\n", ""], ["line 9\n", "N\n"]) },
    });
    await world.undo(call);
    type(world, "a.txt", "line 30\n", "last\n");
    const again = await world.undo(call);
    expect(errorOf(again)).toContain("already as it was");
    expect(world.workspace.text("a.txt")).toBe(TEXT.replace("line 30\n", "last\n"));
  });

  test("a removed line comes back once, also where a later call changed the line beside it", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const first = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 5\n", ""]) },
    });
    await world.call({ "a.txt": { kind: "edit", splices: replacing(["line 6\n", "SIX\n"]) } });
    const once = TEXT.replace("line 6", "SIX");
    expect(statuses(await world.undo(first))).toEqual(["applied"]);
    expect(world.workspace.text("a.txt")).toBe(once);
    const again = await world.undo(first);
    expect(statuses(again)).toEqual(["rejected"]);
    expect(world.workspace.text("a.txt")).toBe(once);
  });

  test("one splice over the whole file has still only changed some lines", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const written = TEXT.replace("line 5\n", "FIVE\n").replace("line 25\n", "");
    const whole = (text: string) => [{ from: 0, to: text.length, insert: written }];
    const call = await world.call({ "a.txt": { kind: "edit", splices: whole } });
    type(world, "a.txt", "line 15\n", "mine\n");
    expect(statuses(await world.undo(call))).toEqual(["applied"]);
    expect(world.workspace.text("a.txt")).toBe(TEXT.replace("line 15\n", "mine\n"));
  });

  test("contents that were dropped are not needed while the file is as the call left it", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const call = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 5\n", "FIVE\n"]) },
    });
    world.store = { ...world.store, content: () => Promise.resolve(undefined) };
    type(world, "a.txt", "line 9\n", "mine\n");
    expect(errorOf(await world.undo(call))).toContain("not kept");
    type(world, "a.txt", "mine\n", "line 9\n");
    expect(statuses(await world.undo(call))).toEqual(["applied"]);
    expect(world.workspace.text("a.txt")).toBe(TEXT);
  });

  test("a file that changes between plan and write is planned again", async () => {
    let seen = 0;
    const typing = { run: (): void => undefined };
    const world = createUndoWorld(
      { "a.txt": TEXT },
      {
        fault: (_, operation) =>
          operation === "update" && ++seen === 2
            ? { kind: "call", run: () => typing.run() }
            : undefined,
      },
    );
    typing.run = () => type(world, "a.txt", "line 9\n", "mine\n");
    const call = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 5\n", "FIVE\n"]) },
    });
    expect(statuses(await world.undo(call))).toEqual(["applied"]);
    expect(world.workspace.text("a.txt")).toBe(TEXT.replace("line 9\n", "mine\n"));
  });
});

describe("hunks", () => {
  test("each hunk alone, then the rest of the file", async () => {
    for (const hunk of [0, 1, 2]) {
      const world = createUndoWorld({ "a.txt": TEXT });
      const pairs = [
        ["line 3\n", "THREE\n3\n"],
        ["line 15\n", ""],
        ["line 27\n", "27\n"],
      ] as const;
      const call = await world.call({ "a.txt": { kind: "edit", splices: replacing(...pairs) } });
      const others = pairs.filter((_, i) => i !== hunk);
      const undo = await world.undo(call, { file: 0, hunk });
      expect(statuses(undo)).toEqual(["applied"]);
      expect(world.workspace.text("a.txt")).toBe(
        others.reduce((text, [old, insert]) => text.replace(old, insert), TEXT),
      );
      expect(errorOf(await world.undo(call, { file: 0, hunk }))).toContain("already as it was");
      await world.undo(call);
      expect(world.workspace.text("a.txt")).toBe(TEXT);
    }
  });

  test("a file is called undone only while no hunk of it was taken back again", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const pairs = [5, 15, 25].map((n) => [`line ${n}\n`, `${n}\n`] as const);
    const call = await world.call({ "a.txt": { kind: "edit", splices: replacing(...pairs) } });
    const undos: CallRecord[] = [];
    const undo = async (of: CallRecord, hunk?: number): Promise<CallRecord> => {
      const record = await world.undo(of, hunk === undefined ? {} : { file: 0, hunk });
      expect(statuses(record)).toEqual(["applied"]);
      undos.push(record);
      return record;
    };
    const state = (): unknown => takenBack(call, undos).get("a.txt");
    const all = await undo(call);
    expect(state()).toBe("all");
    const part = await undo(all, 1);
    expect(state()).toEqual(new Set());
    await undo(part);
    expect(state()).toBe("all");
    for (const hunk of [0, 1, 2]) await undo(all, hunk);
    expect(state()).toBeUndefined();
    const one = await undo(call, 2);
    expect(state()).toEqual(new Set([2]));
    await undo(one, 0);
    expect(state()).toBeUndefined();
    expect(world.workspace.text("a.txt")).not.toBe(TEXT);
  });

  test("a hunk that the diff does not have", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const call = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 3\n", "x\n"]) },
    });
    expect(errorOf(await world.undo(call, { file: 0, hunk: 1 }))).toContain("no change 2");
  });

  test("a hunk of a file whose bytes the call changed as a whole is refused with that reason", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const call = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 3\n", "x\n"]) },
    });
    const after = world.workspace.text("a.txt");
    // As the life of a call records a file that comes to have another encoding: both sides, and no splices.
    const files = call.files.map((file) => {
      const { inverse, ...sides } = file;
      expect(inverse).toBeDefined();
      return sides;
    });
    const undo = await world.undo({ ...call, files }, { file: 0, hunk: 0 });
    expect(errorOf(undo)).toContain("changed the bytes of a.txt as a whole");
    expect(undo.files[0]?.outcome?.error?.advice).toBe("Undo the file instead.");
    expect(world.workspace.text("a.txt")).toBe(after);
    expect(statuses(await world.undo({ ...call, files }))).toEqual(["applied"]);
    expect(world.workspace.text("a.txt")).toBe(TEXT);
  });

  test("a hunk goes back while another one was changed since", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const call = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 3\n", "x\n"], ["line 20\n", "y\n"]) },
    });
    type(world, "a.txt", "y\n", "mine\n");
    expect(statuses(await world.undo(call))).toEqual(["rejected"]);
    expect(statuses(await world.undo(call, { file: 0, hunk: 0 }))).toEqual(["applied"]);
    expect(world.workspace.text("a.txt")).toBe(TEXT.replace("line 20\n", "mine\n"));
  });
});

describe("files", () => {
  test("a new file goes only while it is as it was made", async () => {
    const world = createUndoWorld({});
    const call = await world.call({ "new.txt": { kind: "add", text: "x\n" } });
    world.workspace.put("new.txt", "x\nmine\n");
    expect(errorOf(await world.undo(call))).toContain("is not what the call left");
    expect(world.workspace.text("new.txt")).toBe("x\nmine\n");
    world.workspace.put("new.txt", "x\n");
    const undo = await world.undo(call);
    expect(world.workspace.contents()).toEqual({});
    expect(errorOf(await world.undo(call))).toContain("already as it was");
    await world.undo(undo);
    expect(world.workspace.contents()).toEqual({ "new.txt": "x\n" });
  });

  test("a new file with unsaved changes stays", async () => {
    const world = createUndoWorld({});
    const call = await world.call({ "new.txt": { kind: "add", text: "x\n" } });
    world.workspace.open("new.txt").type("x\nmine\n");
    expect(errorOf(await world.undo(call))).toContain("unsaved changes");
    expect(world.workspace.text("new.txt")).toBe("x\n");
  });

  test("a deleted file comes back byte for byte with its mode, and only where nothing is", async () => {
    const bytes = Uint8Array.from([0xff, 0, 1, 2, 0xfe, 13, 10]);
    const world = createUndoWorld({});
    world.workspace.put("run.bin", bytes, 0o755);
    const call = await world.call({ "run.bin": { kind: "delete" } });
    world.workspace.put("run.bin", "mine\n");
    expect(errorOf(await world.undo(call))).toContain("exists again");
    expect(world.workspace.text("run.bin")).toBe("mine\n");
    world.workspace.delete("run.bin");
    const undo = await world.undo(call);
    expect(world.workspace.bytes("run.bin")).toEqual(bytes);
    expect(world.workspace.mode("run.bin")).toBe(0o755);
    expect(errorOf(await world.undo(call))).toContain("already as it was");
    const redo = await world.undo(undo);
    expect(world.workspace.bytes("run.bin")).toBeUndefined();
    await world.undo(redo);
    expect(world.workspace.bytes("run.bin")).toEqual(bytes);
    expect(world.workspace.mode("run.bin")).toBe(0o755);
  });

  test("a deleted file whose contents were dropped cannot come back", async () => {
    const world = createUndoWorld({ "a.txt": "x\n" });
    const call = await world.call({ "a.txt": { kind: "delete" } });
    world.store = { ...world.store, content: () => Promise.resolve(undefined) };
    expect(errorOf(await world.undo(call))).toContain("not kept");
  });

  test("a moved file moves back, with later text; with the call's own changes undone", async () => {
    const world = createUndoWorld({ "a.txt": TEXT, "b.txt": TEXT });
    const renamed = await world.call({ "a.txt": { kind: "move", to: "dir/a2.txt" } });
    const edited = await world.call({
      "b.txt": { kind: "move", to: "b2.txt", splices: replacing(["line 5\n", "FIVE\n"]) },
    });
    type(world, "dir/a2.txt", "line 9\n", "mine\n");
    type(world, "b2.txt", "line 9\n", "mine\n");
    const mine = TEXT.replace("line 9\n", "mine\n");
    const undos = [await world.undo(renamed), await world.undo(edited)];
    expect(undos.flatMap(statuses)).toEqual(["applied", "applied"]);
    expect(world.workspace.contents()).toEqual({ "a.txt": mine, "b.txt": mine });
    for (const undo of undos) expect(statuses(await world.undo(undo))).toEqual(["applied"]);
    expect(world.workspace.contents()).toEqual({
      "dir/a2.txt": mine,
      "b2.txt": mine.replace("line 5\n", "FIVE\n"),
    });
  });

  test("a moved file stays where its old place was taken, or where its text cannot go back", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const call = await world.call({
      "a.txt": { kind: "move", to: "b.txt", splices: replacing(["line 5\n", "FIVE\n"]) },
    });
    world.workspace.put("a.txt", "mine\n");
    expect(errorOf(await world.undo(call))).toContain("exists again");
    world.workspace.delete("a.txt");
    type(world, "b.txt", "FIVE\n", "mine\n");
    const before = world.workspace.contents();
    expect(errorOf(await world.undo(call))).toContain("Line 5");
    expect(world.workspace.contents()).toEqual(before);
  });
});

describe("places", () => {
  test("a link or a folder that took the file's place is refused by name", async () => {
    const world = createUndoWorld({ "a.txt": "x\n", "b.txt": "x\n", "c.txt": "c\n" });
    const edit = { kind: "edit", splices: replacing(["x", "y"]) } as const;
    const call = await world.call({
      "a.txt": edit,
      "b.txt": edit,
      "c.txt": { kind: "delete" },
      "d.txt": { kind: "add", text: "d\n" },
    });
    world.workspace.put("other.txt", "y\n");
    for (const path of ["a.txt", "b.txt", "d.txt"]) world.workspace.delete(path);
    for (const path of ["a.txt", "c.txt"]) world.workspace.link(path, "other.txt");
    for (const path of ["b.txt", "d.txt"]) world.workspace.put(`${path}/in.txt`, "mine\n");
    const before = world.workspace.contents();
    const undo = await world.undo(call);
    expect(undo.files.map(({ outcome }) => outcome?.error?.message)).toEqual([
      "d.txt is a folder now, so nothing was undone there.",
      "c.txt is a link now, to other.txt, so nothing was undone there.",
      "b.txt is a folder now, so nothing was undone there.",
      "a.txt is a link now, to other.txt, so nothing was undone there.",
    ]);
    expect(world.workspace.contents()).toEqual(before);
  });

  test("a link to another file of the call keeps that one from nothing", async () => {
    const world = createUndoWorld({ "a.txt": "x\n", "b.txt": "x\n" });
    const edit = { kind: "edit", splices: replacing(["x", "y"]) } as const;
    const call = await world.call({ "a.txt": edit, "b.txt": edit });
    world.workspace.delete("a.txt");
    world.workspace.link("a.txt", "b.txt");
    const undo = await world.undo(call);
    expect(statuses(undo)).toEqual(["applied", "rejected"]);
    expect(world.workspace.contents()).toEqual({ "b.txt": "x\n" });
  });

  test("a link that the call itself went through is followed", async () => {
    const world = createUndoWorld({ "real.txt": "x\n" });
    world.workspace.link("a.txt", "real.txt");
    const call = await world.call({ "a.txt": { kind: "edit", splices: replacing(["x", "y"]) } });
    expect(statuses(await world.undo(call))).toEqual(["applied"]);
    expect(world.workspace.contents()).toEqual({ "real.txt": "x\n" });
  });
});

describe("calls", () => {
  test("every file for itself: what can go back does, the rest is refused", async () => {
    const world = createUndoWorld({ "a.txt": TEXT, "b.txt": TEXT, "c.txt": "c\n" });
    const edit = { kind: "edit", splices: replacing(["line 5\n", "FIVE\n"]) } as const;
    const call = await world.call({
      "a.txt": edit,
      "b.txt": edit,
      "c.txt": { kind: "delete" },
      "d.txt": { kind: "add", text: "d\n" },
    });
    type(world, "b.txt", "FIVE\n", "mine\n");
    const undo = await world.undo(call);
    expect(undo.result).toMatchObject({ status: "partial", message: "Undone in 3 of 4 files" });
    expect(world.workspace.contents()).toEqual({
      "a.txt": TEXT,
      "b.txt": TEXT.replace("line 5\n", "mine\n"),
      "c.txt": "c\n",
    });
    expect(await world.store.get(undo.id)).toEqual(undo);
  });

  test("a rejected or unknown file is left alone", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const call = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 5\n", "FIVE\n"]) },
    });
    const [file] = call.files;
    if (file?.outcome === undefined) throw new Error("no file");
    const before = world.workspace.text("a.txt");
    for (const status of ["rejected", "unknown", "already_applied"] as const) {
      const other = { ...call, files: [{ ...file, outcome: { ...file.outcome, status } }] };
      expect((await world.undo(other)).files).toEqual([]);
      expect(statuses(await world.undo(other, { file: 0 }))).toEqual(["rejected"]);
    }
    expect(world.workspace.text("a.txt")).toBe(before);
  });

  test("a damaged record is refused, not believed", async () => {
    const world = createUndoWorld({ "a.txt": TEXT });
    const call = await world.call({
      "a.txt": { kind: "edit", splices: replacing(["line 5\n", "FIVE\n"]) },
    });
    const [file] = call.files;
    if (file === undefined) throw new Error("no file");
    const inverse = [{ from: 1e9, to: 1e9, insert: "x" }];
    const undo = await world.undo({ ...call, files: [{ ...file, inverse }] });
    expect(errorOf(undo)).toContain("not kept");
  });
});

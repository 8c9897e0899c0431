import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hookCommandIn } from "../../../src/adapters/node/hookCommand.ts";
import type { HookReply } from "../../../src/app/hooks.ts";

let folder = "";
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "hook-")));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

let scripts = 0;
/** A command line that runs this JavaScript. */
async function script(code: string): Promise<string> {
  const file = path.join(folder, `hook${scripts++}.mjs`);
  await writeFile(file, code);
  return `"${process.execPath}" "${file}"`;
}

const never = new AbortController().signal;
function run(
  command: string,
  timeoutMs = 15_000,
  signal = never,
  body = '{"tool_name":"edit"}',
): Promise<HookReply> {
  return hookCommandIn(folder)(command, { body, timeoutMs, bytesMax: 10_000 }, signal);
}
const failure = (reply: HookReply): string =>
  reply.kind === "failed" ? reply.failure : reply.kind;

describe("a command", () => {
  test("reads the event on standard input and answers on standard output", async () => {
    const echo = await script(`process.stdin.pipe(process.stdout)`);
    expect(await run(echo, 15_000, never, '{"tool_name":"edit","ü":"ß"}')).toEqual({
      kind: "answered",
      text: '{"tool_name":"edit","ü":"ß"}',
      exitCode: 0,
      stderr: "",
    });
  });
  test("runs in the workspace folder", async () => {
    const where = await script(`process.stdout.write(process.cwd())`);
    expect(await run(where)).toMatchObject({ text: folder });
  });
  test("exit code and standard error come with it", async () => {
    const no = await script(
      `process.stdout.write("{}"); process.stderr.write("not on a Friday\\n"); process.exitCode = 2`,
    );
    expect(await run(no)).toEqual({
      kind: "answered",
      text: "",
      exitCode: 2,
      stderr: "not on a Friday\n",
    });
  });
  test("one that reads no input and one that prints nothing answer all the same", async () => {
    const deaf = await script(`process.stdin.destroy(); process.stdout.write("{}")`);
    const large = "x".repeat(2_000_000);
    expect(await run(deaf, 15_000, never, large)).toMatchObject({ text: "{}", exitCode: 0 });
    expect(await run(await script(""))).toMatchObject({ text: "", exitCode: 0 });
  });
  test("a missing program is told by the shell's exit code", async () => {
    const reply = await run("no-such-program-as-this");
    expect(reply).toMatchObject({ kind: "answered", exitCode: 127 });
  });
  test("a folder that is not there", async () => {
    const reply = await hookCommandIn(path.join(folder, "gone"))(
      "true",
      { body: "{}", timeoutMs: 5_000, bytesMax: 10 },
      never,
    );
    expect(failure(reply)).toBe("command_error");
  });
  test("ended by a signal", async () => {
    const reply = await run("kill -9 $$");
    expect(reply).toMatchObject({ kind: "failed", failure: "command_error" });
  });
  test("output over the cap ends it at once", async () => {
    const flood = await script(
      `const more = () => process.stdout.write("x".repeat(5_000), more); more()`,
    );
    expect(failure(await run(flood))).toBe("protocol_error");
  });
  test("a flood on standard error does not", async () => {
    const noisy = await script(
      `process.stderr.write("e".repeat(300_000), () => process.stdout.write("{}"))`,
    );
    const reply = await run(noisy);
    expect(reply).toMatchObject({ kind: "answered", text: "{}" });
    expect(reply.kind === "answered" && reply.stderr.length).toBe(65_536);
  });
  test("bytes that are not UTF-8", async () => {
    expect(
      failure(await run(await script(`process.stdout.write(Buffer.from([0xff, 0xfe]))`))),
    ).toBe("protocol_error");
  });
});

/** Waits until the process is gone; one that only waits to be collected counts as gone. */
async function gone(pid: number): Promise<boolean> {
  for (let turn = 0; turn < 2_000; turn++) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
    if (stat === null ? !alive(pid) : /\) Z /.test(stat)) return true;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("the time limit", () => {
  test("ends the command and what it started", async () => {
    const file = path.join(folder, "child.pid");
    const parent = await script(`
      import { spawn } from "node:child_process";
      import { writeFileSync } from "node:fs";
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
      writeFileSync(${JSON.stringify(file)}, String(child.pid));
      setInterval(() => {}, 1000);`);
    const stop = new AbortController();
    const reply = run(parent, 20_000, stop.signal);
    // Interrupted as soon as the grandchild is known: the same way out as the limit, without waiting for it.
    const pid = await written(file);
    stop.abort();
    expect(failure(await reply)).toBe("interrupted");
    expect(await gone(pid)).toBe(true);
  });
  test("is told as such", async () => {
    const slow = await script(`setInterval(() => {}, 1000)`);
    expect(await run(slow, 100)).toEqual({
      kind: "failed",
      failure: "timeout",
      detail: "no answer within 100 ms",
    });
  });
  test("does not wait for a background program that holds the output open", async () => {
    const started = performance.now();
    const reply = await run("sleep 15 & echo '{}'", 14_000);
    expect(reply).toMatchObject({ kind: "answered", text: "{}\n", exitCode: 0 });
    expect(performance.now() - started).toBeLessThan(10_000);
  });
  test("a call that was interrupted before starts nothing", async () => {
    const file = path.join(folder, "started");
    const touch = await script(
      `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(file)}, "")`,
    );
    expect(failure(await run(touch, 5_000, AbortSignal.abort()))).toBe("interrupted");
    expect(existsSync(file)).toBe(false);
  });
});

async function written(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (text !== "") return Number(text);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

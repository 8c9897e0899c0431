import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import type { HookReply, HookTransport } from "../../app/hooks.ts";

const STDERR_BYTES_MAX = 65_536;
/** A program left in the background may hold the output open; what came until this long after the end counts. */
const DRAIN_MS_MAX = 250;

/**
 * Runs hook commands through the shell in a workspace folder, the event on standard input. At the time limit, on an
 * interruption and when the output grows over the cap, the command ends with all that it started.
 */
export function hookCommandIn(folder: string): HookTransport {
  return (command, { body, timeoutMs, bytesMax }, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(failed("interrupted", "the call was interrupted"));
      const child = spawn(command, {
        shell: true,
        cwd: folder,
        // A group of its own on POSIX, so that the time limit reaches whatever the command started.
        detached: process.platform !== "win32",
        windowsHide: true,
        stdio: ["pipe", "pipe", "pipe"],
      });
      const stdout = collector(bytesMax);
      const stderr = collector(STDERR_BYTES_MAX);
      let drain: NodeJS.Timeout | undefined;
      let settled = false;
      const settle = (reply: HookReply): void => {
        settled = true;
        clearTimeout(clock);
        clearTimeout(drain);
        signal.removeEventListener("abort", interrupt);
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
        resolve(reply);
      };
      const abandon = (reply: HookReply): void => {
        if (settled) return;
        killGroup(child);
        settle(reply);
      };
      const interrupt = (): void => abandon(failed("interrupted", "the call was interrupted"));
      const clock = setTimeout(
        () => abandon(failed("timeout", `no answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      signal.addEventListener("abort", interrupt);
      child.stdout.on("data", (part: Buffer) => {
        if (!stdout.take(part))
          abandon(failed("protocol_error", `the answer is longer than ${bytesMax} bytes`));
      });
      child.stderr.on("data", (part: Buffer) => stderr.take(part));
      const ended = (code: number | null, by: string | null): void =>
        settle(replyOf(code, by, stdout.text(), stderr.text()));
      child.on("error", (error) =>
        settle(failed("command_error", `it did not start: ${error.message}`)),
      );
      child.on("exit", (code, by) => {
        drain = setTimeout(() => ended(code, by), DRAIN_MS_MAX);
      });
      child.on("close", ended);
      // A command that does not read its input closes the pipe; its answer counts all the same.
      child.stdin.on("error", () => undefined);
      child.stdin.end(body);
    });
}

function replyOf(
  code: number | null,
  by: string | null,
  text: string | null,
  stderr: string | null,
): HookReply {
  if (code === null) return failed("command_error", `it was ended by ${by ?? "a signal"}`);
  const said = stderr ?? "";
  if (code !== 0) return { kind: "answered", text: "", exitCode: code, stderr: said };
  if (text === null) return failed("protocol_error", "the answer is not UTF-8");
  return { kind: "answered", text, exitCode: 0, stderr: said };
}

/** Keeps up to a cap; `take` is false from the part on that goes over it. Text is null when it is not UTF-8. */
function collector(bytesMax: number): { take(part: Buffer): boolean; text(): string | null } {
  const parts: Buffer[] = [];
  let bytes = 0;
  return {
    take(part) {
      const room = bytesMax - bytes;
      bytes += part.length;
      if (room > 0) parts.push(part.subarray(0, room));
      return bytes <= bytesMax;
    },
    text() {
      try {
        const whole = bytes <= bytesMax;
        return new TextDecoder("utf-8", { fatal: whole }).decode(Buffer.concat(parts));
      } catch {
        return null;
      }
    },
  };
}

function killGroup(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(child.pid), "/T", "/F"], { windowsHide: true });
    return;
  }
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group has ended in the meantime.
  }
}

function failed(
  failure: "timeout" | "interrupted" | "command_error" | "protocol_error",
  detail: string,
): HookReply {
  return { kind: "failed", failure, detail };
}

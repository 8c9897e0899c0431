import { spawnSync, type ChildProcess } from "node:child_process";
import { within } from "./wait.ts";

/** Ends a child that was started with `detached: true`, and everything that it started.
 *  Only the child's own process group is touched. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const gone = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
  });
  killGroup(child.pid, "SIGTERM");
  await within("the server to end", 2_000, gone).catch(() => undefined);
  // Its children may outlive it, also where it ended by itself.
  killGroup(child.pid, "SIGKILL");
}

export function killGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The group is already gone.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

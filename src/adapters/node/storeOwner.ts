import { readFileSync } from "node:fs";
import { hostname, uptime } from "node:os";

/**
 * Which process a call under way belongs to. A process id alone is not enough: ids are used again, after a restart
 * of a container even the same small ones. So the start is compared as well, as far as the platform tells it.
 */
export interface Owner {
  readonly host: string;
  readonly pid: number;
  /** Opaque: equal for the same process, different for another one with the same id. */
  readonly start: string;
}

/** How the store asks about processes; the tests answer for processes that never were. */
export interface Processes {
  readonly self: Owner;
  /** False only when the process is known to be gone. */
  isAlive(owner: Owner): boolean;
}

export function nodeProcesses(): Processes {
  const host = hostname();
  const self: Owner = { host, pid: process.pid, start: startOf(process.pid) ?? bootStart() };
  return {
    self,
    isAlive(owner) {
      // Another machine on a shared folder: nothing here can tell, so its calls are left alone.
      if (owner.host !== host) return true;
      if (owner.pid === self.pid) return owner.start === self.start;
      if (!exists(owner.pid)) return false;
      const start = startOf(owner.pid);
      if (start !== null && owner.start.startsWith("proc:")) return start === owner.start;
      return !startedBeforeBoot(owner.start);
    },
  };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to someone else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Linux tells the start of every process in ticks since boot; the boot's own id makes it unique. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces and parentheses, so fields are counted behind the last one.
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return ticks === undefined ? null : `proc:${boot}:${ticks}`;
  } catch {
    return null;
  }
}

/** Elsewhere only our own start is known, in milliseconds since 1970. */
function bootStart(): string {
  return `time:${Math.round(Date.now() - process.uptime() * 1000)}`;
}

function startedBeforeBoot(start: string): boolean {
  const at = /^time:(\d+)$/.exec(start)?.[1];
  const minute = 60_000; // clocks are set right after boot
  return at !== undefined && Number(at) < Date.now() - uptime() * 1000 - minute;
}

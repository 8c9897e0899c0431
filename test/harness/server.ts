import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureEditor } from "./install.ts";
import { HARNESS } from "./paths.ts";
import { endGroup, killGroup } from "./processes.ts";
import { waitFor } from "./wait.ts";

export interface ServerOptions {
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /** Switches on what tests need: development extensions by URL, and `codeAutomation…`. */
  readonly testDriver: boolean;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Server {
  readonly port: number;
  readonly token: string;
  /** What the server has printed, for messages and for finding out how a host ended. */
  output(): string;
  /** Settles when the server ends, however that comes. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const main = join(await ensureEditor(), "out", "server-main.js");
  const token = randomBytes(16).toString("hex");
  // Every user of the machine may read a command line, but only the owner this file.
  const tokenFile = join(options.userDataDir, "token");
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const guard = pathToFileURL(join(HARNESS, "dieWithParent.ts")).href;
  const args = [
    ...["--import", guard, main, "--host", "127.0.0.1", "--port", "0"],
    ...["--connection-token-file", tokenFile, ...commonArguments(options)],
    ...(options.testDriver ? ["--enable-smoke-test-driver"] : []),
    ...(options.flags ?? []),
  ];
  const child = spawn(process.execPath, args, {
    detached: true, // a process group of its own, so that all of it can be ended
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...serverEnv(), ...socketFolder(options.userDataDir), ...options.env },
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  // Nearly all of it is about native modules that are missed, so it is kept apart and told only
  // when the server does not start.
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => (complaints += chunk.toString()));
  const atExit = (): void => {
    if (child.pid !== undefined) killGroup(child.pid, "SIGKILL");
  };
  process.once("exit", atExit);
  let end: string | undefined;
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve((end = error.message)));
    child.once("exit", (code, signal) => resolve((end = `code ${code}, signal ${signal}`)));
  });
  const stop = async (): Promise<void> => {
    await endGroup(child);
    process.removeListener("exit", atExit);
  };
  try {
    const port = await waitFor("the VS Code server to listen", 60_000, () => {
      if (end !== undefined) {
        throw new Error(`The VS Code server ended early: ${end}\n${output}${complaints}`);
      }
      const found = /Extension host agent listening on (\d+)/.exec(output)?.[1];
      return found === undefined ? undefined : Number(found);
    });
    return { port, token, output: () => output, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The server leaves its sockets behind, so they go where all else is removed with them. Elsewhere
 *  than on Linux the path of the temporary folder is too long for that. */
function socketFolder(userDataDir: string): Readonly<Record<string, string>> {
  if (process.platform !== "linux") return {};
  const dir = join(userDataDir, "tmp");
  mkdirSync(dir, { recursive: true });
  return { TMPDIR: dir, XDG_RUNTIME_DIR: dir };
}

/** Runs a command of the server that ends by itself, such as the installation of an extension. */
export async function runServerCommand(
  folders: Pick<ServerOptions, "userDataDir" | "extensionsDir">,
  args: readonly string[],
): Promise<number> {
  const main = join(await ensureEditor(), "out", "server-main.js");
  const all = [main, ...commonArguments(folders), ...args];
  const { status, stderr } = spawnSync(process.execPath, all, {
    stdio: ["ignore", "inherit", "pipe"],
    env: serverEnv(),
    encoding: "utf8",
  });
  // The server also complains at length about native modules it can do without.
  if (status !== 0) process.stderr.write(stderr);
  return status ?? 1;
}

function commonArguments(
  folders: Pick<ServerOptions, "userDataDir" | "extensionsDir">,
): readonly string[] {
  return [
    ...["--user-data-dir", folders.userDataDir],
    ...["--server-data-dir", join(folders.userDataDir, "server")],
    ...["--extensions-dir", folders.extensionsDir],
    ...["--telemetry-level", "off", "--accept-server-license-terms"],
  ];
}

function serverEnv(): NodeJS.ProcessEnv {
  // Options of our own node, and the marks of an editor that we may have been started from, would
  // change what the server does.
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(NODE_OPTIONS|VSCODE_)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    // Without these two the server asks a marketplace, starts an assistant that nobody is signed in
    // to, and complains that the npm package has no TypeScript.
    EXTENSIONS_GALLERY: "{}",
    VSCODE_SKIP_BUILTIN_EXTENSIONS: "GitHub.copilot-chat,vscode.typescript-language-features",
  };
}

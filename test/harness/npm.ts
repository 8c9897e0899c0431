import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Fetches one package, checked by npm against the registry's hash, and unpacks it into `to`.
 *  `npm pack` brings the package alone. `npm install` would bring its dependencies as well, which
 *  for code-server are a second, unused tree of 165 packages. */
export async function fetchPackage(spec: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  await npm(["pack", spec, "--loglevel=error", "--pack-destination", to], to);
  const tarball = readdirSync(to).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error(`npm pack ${spec} left no archive in ${to}`);
  // The archive is named by a relative path because GNU tar takes "C:" for a host name.
  await run("tar", ["-xzf", tarball, "--strip-components=1"], to);
  rmSync(join(to, tarball));
}

/** Installs the production dependencies that the package in `dir` pins by its shrinkwrap. */
export async function installDependencies(dir: string): Promise<void> {
  const args = ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
  await npm([...args, "--loglevel=error"], dir);
}

export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  // npm is a .cmd file on Windows, and Node starts those only through a shell.
  const shell = process.platform === "win32" && command === "npm";
  const child = spawn(command, args, { cwd, env: plainEnv(), shell });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (status, signal) => resolve(status ?? signal ?? "unknown"));
  });
  if (code === 0) return output;
  throw new Error(`${command} ${args.join(" ")} failed (${code})\n${output.trim().slice(-2000)}`);
}

async function npm(args: readonly string[], cwd: string): Promise<void> {
  // Inside an npm script the path names the npm that runs it. It is a JavaScript file.
  const own = process.env["npm_execpath"];
  const isNpm = own !== undefined && /npm-cli\.c?js$/.test(own);
  try {
    if (isNpm) await run(process.execPath, [own, ...args], cwd);
    else await run("npm", args, cwd);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (!UNREACHABLE.test(text)) throw error;
    throw new Error(
      "The npm registry cannot be reached. The editor and its browser are fetched from it once, " +
        "so connect to the network (or set npm's registry and proxy) and try again.\n" +
        text,
      { cause: error },
    );
  }
}

const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|CERT/;

/** npm hands its own settings to scripts through the environment. The nested npm must not take
 *  this project's folder for its own, so only what reaches the registry is kept. */
function plainEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) || /registry|proxy|cafile|cache|userconfig/i.test(name),
  );
  return Object.fromEntries(kept);
}

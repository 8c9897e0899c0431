import { isUsageError, usage, UsageError } from "./adapters/node/cliUsage.ts";

/**
 * `agent-edit-review`: the same engine and the same way of a call, over a plain file system. Each command is loaded
 * when it is asked for.
 */
const NODE_MIN = [22, 13] as const;

async function main(words: readonly string[]): Promise<number> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
    process.stderr.write(
      `agent-edit-review needs Node.js ${NODE_MIN.join(".")} or newer; this is ${process.versions.node}.\n`,
    );
    return 3;
  }
  const [command, ...rest] = words;
  switch (command) {
    case "apply":
      return (await import("./adapters/node/cliApply.ts")).apply(rest);
    case "mcp":
      return (await import("./adapters/node/cliMcp.ts")).mcp(rest);
    case "schema":
      return (await import("./adapters/node/cliSchema.ts")).schema(rest);
    case "--help":
    case "-h":
    case "help":
      process.stdout.write(usage);
      return 0;
    case undefined:
      throw new UsageError("Name a command.");
    default:
      throw new UsageError(`There is no command "${command}".`);
  }
}

// Whoever reads our output may stop early (`| head`); that is no failure of the calls. A result that could not be
// printed is one for whoever waits for it, and is not to be taken for a shorter result.
let unprinted = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  unprinted = true;
  process.exitCode = 3;
  process.stderr.write(`agent-edit-review could not print its result: ${error.message}\n`);
});
// There is nowhere left to say so.
process.stderr.on("error", () => undefined);

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = unprinted ? 3 : code;
  },
  (error: unknown) => {
    process.exitCode = 3;
    if (isUsageError(error)) process.stderr.write(`${error.message}\n\n${usage}`);
    else process.stderr.write(`agent-edit-review failed: ${String(error)}\n`);
  },
);

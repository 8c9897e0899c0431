import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * `parseArgs` for a script of ours: a word that it does not know ends the process with 2 and a sentence that lists
 * those it does.
 */
export function scriptOptions<T extends ParseArgsConfig>(
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const options = Object.entries(config.options ?? {}).map(([name, { type }]) =>
      type === "boolean" ? `--${name}` : `--${name} VALUE`,
    );
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(". ");
    console.error(`${sentence ?? ""}. This script takes: ${options.join(", ")}`);
    process.exit(2);
  }
}

import { TOOLS } from "../../tools/catalogue.ts";
import { UsageError } from "./cliUsage.ts";

/** `schema`: prints the JSON Schema of one tool, or the names of all. */
export function schema(words: readonly string[]): number {
  const [name] = words;
  if (words.length > 1) throw new UsageError("Name at most one TOOL.");
  if (name === undefined) {
    process.stdout.write(`${TOOLS.map((tool) => tool.name).join("\n")}\n`);
    return 0;
  }
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new UsageError(`There is no tool "${name}".`);
  process.stdout.write(`${JSON.stringify(tool.jsonSchema(), null, 2)}\n`);
  return 0;
}

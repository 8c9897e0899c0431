/**
 * Writes the parts of package.json that come from code: the language model tools, from the one catalogue of tools.
 * With --check it changes nothing and fails when the file is behind.
 */
import { readFile, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { ruleOrder } from "../app/permissionRules.ts";
import { TOOLS } from "../tools/catalogue.ts";

const file = new URL("../../package.json", import.meta.url);

export function languageModelTools(): unknown[] {
  return TOOLS.map((tool) => ({
    name: tool.name,
    toolReferenceName: tool.name,
    displayName: tool.title,
    modelDescription: tool.description,
    userDescription: tool.userDescription,
    canBeReferencedInPrompt: true,
    icon: "$(edit)",
    when: offeredWhen(tool.name),
    inputSchema: tool.jsonSchema(),
  }));
}

/**
 * A tool that the user's rules deny altogether is not offered. Plain rules the editor looks up itself, before anything
 * of the extension is loaded, in the order in which they speak for the tool: the first that is set decides. What only
 * our own reading can tell (maps of patterns, other names) comes by a context key once it is loaded.
 */
export function offeredWhen(name: string): string {
  const allowed = [...ruleOrder(name), "*"].reduceRight<string | null>((rest, tool) => {
    const rule = `config.agentEditReview.permission.${tool}`;
    return rest === null ? `${rule} != 'deny'` : `${rule} != 'deny' && (${rule} || ${rest})`;
  }, null);
  return `config.agentEditReview.tools.${name} && !agentEditReview.denied.${name} && ${allowed ?? ""}`;
}

export function toolSettings(): Record<string, unknown> {
  return Object.fromEntries(
    TOOLS.map((tool, index) => [
      `agentEditReview.tools.${tool.name}`,
      {
        order: 20 + index,
        type: "boolean",
        scope: "window",
        default: true,
        markdownDescription: `Offer \`${tool.name}\` to agents in this editor. ${tool.userDescription}`,
      },
    ]),
  );
}

interface Manifest {
  contributes: {
    languageModelTools: unknown;
    configuration: { properties: Record<string, unknown> }[];
  };
}

async function main(): Promise<void> {
  const manifest = JSON.parse(await readFile(file, "utf8")) as Manifest;
  const before = structuredClone(manifest);
  manifest.contributes.languageModelTools = languageModelTools();
  const settings = manifest.contributes.configuration[0];
  if (settings === undefined) throw new Error("package.json has no configuration section");
  const kept = Object.entries(settings.properties).filter(
    ([name]) => !name.startsWith("agentEditReview.tools."),
  );
  settings.properties = { ...Object.fromEntries(kept), ...toolSettings() };
  if (isDeepStrictEqual(before, manifest)) return;
  if (process.argv.includes("--check")) {
    console.error("package.json is behind src/tools: run npm run manifest");
    process.exitCode = 1;
    return;
  }
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

if (import.meta.main) await main();

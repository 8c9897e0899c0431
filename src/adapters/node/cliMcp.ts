import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import manifest from "../../../package.json" with { type: "json" };
import { parsePermissionRules, type PermissionRules } from "../../app/permissionRules.ts";
import { selectSurface } from "../../agent/selectSurface.ts";
import { TOOLS } from "../../tools/catalogue.ts";
import { createFolderRunner } from "./cliRunner.ts";
import { UsageError } from "./cliUsage.ts";
import { onStopSignal } from "./stopSignals.ts";

/** `mcp`: the tools over standard input and output, one session for the connection. Ends when the client goes. */
export async function mcp(words: readonly string[]): Promise<number> {
  const { root, rules, model } = optionsOf(words);
  const { runner, permissions } = createFolderRunner(root, rules);
  const allowed = (tool: string): boolean => permissions?.offers(tool) ?? true;
  // A named model is offered the one surface it was trained for; others choose among all tools.
  const surface =
    model === undefined
      ? undefined
      : selectSurface(model, { editTool: "edit_files", wire: "other" }, allowed);
  const { serveMcp } = await import("./mcpServer.ts");
  const connection = await serveMcp({
    runner,
    tools: TOOLS.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.jsonSchema(),
    })),
    session: randomUUID(),
    version: manifest.version,
    offers: (tool) => surface?.tools.includes(tool) ?? allowed(tool),
    // A tool that is denied says so itself.
    unavailable: (tool) =>
      surface === undefined || surface.tools.includes(tool) || !allowed(tool)
        ? null
        : notForModel(tool, surface.tools),
  });
  onStopSignal(() => void connection.close());
  await connection.closed;
  return 0;
}

function notForModel(tool: string, offered: readonly string[]): string {
  const names = offered.map((name) => `"${name}"`).join(" or ");
  return `tool "${tool}" is not available for the current model. Use ${names} instead.`;
}

interface McpWords {
  readonly root: string;
  readonly rules: PermissionRules;
  readonly model: string | undefined;
}

function optionsOf(words: readonly string[]): McpWords {
  const { root = ".", permission = "{}", model } = valuesOf(words);
  let setting: unknown;
  try {
    setting = JSON.parse(permission);
  } catch {
    throw new UsageError("--permission takes JSON, like the setting agentEditReview.permission.");
  }
  const rules = parsePermissionRules(setting);
  if (rules.problems.length > 0) throw new UsageError(rules.problems.join("\n"));
  return { root, rules, model };
}

function valuesOf(words: readonly string[]) {
  try {
    const text = { type: "string" } as const;
    const options = { root: text, permission: text, model: text };
    return parseArgs({ args: [...words], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

import { isObject, present, textOf, type FoundCall, type Item, type JsonObject } from "./items.ts";
import { shellPatch } from "./shellPatch.ts";

/** A call with its tool's name as the transcript has it; the arguments as a value or as the text that was sent. */
export type NamedCall = Omit<FoundCall, "tool" | "args" | "raw"> & {
  readonly name: string;
  readonly input: unknown;
};

/** Known tools that edit files, and what their arguments are called here. Null: not a call this tool could mean. */
const SHAPES: Readonly<Record<string, (input: unknown) => Shaped | null>> = {
  edit_files: (input) => ({ tool: "edit_files", args: input }),
  apply_patch: patchArguments,
  edit: (input) => ({ tool: "edit", args: input }),
  write: (input) => ({ tool: "write", args: input }),
  delete: (input) => ({ tool: "delete", args: input }),
  // Claude Code
  Edit: claudeEdit,
  MultiEdit: claudeEdit,
  Write: (input) =>
    isObject(input) && typeof input["file_path"] === "string"
      ? { tool: "write", args: { path: input["file_path"], content: input["content"] } }
      : { tool: "write", args: input },
  // Codex and its relatives: a shell that is asked to run apply_patch
  shell: shellArguments,
  shell_command: shellArguments,
  exec_command: shellArguments,
  "container.exec": shellArguments,
  local_shell: shellArguments,
  bash: shellArguments,
  Bash: shellArguments,
};

interface Shaped {
  readonly tool: string;
  readonly args: unknown;
  readonly folder?: string;
}

/** Our own tools, behind the prefix of an MCP client or of a namespace. */
const PREFIXED = /^(?:mcp__.+__|functions\.|[\w-]+\.)(edit_files|apply_patch|edit|write|delete)$/;

/** The call in our tools' shapes, or what else it is. `input` is a value, already parsed. */
export function itemOfCall({ name, input, ...rest }: NamedCall): Item {
  const shape = shapeOf(name);
  if (shape === undefined) return { kind: "other-tool", name };
  const shaped = shape(input);
  if (shaped === null) return { kind: "other-tool", name };
  const folder = shaped.folder === undefined ? rest.folder : joined(rest.folder, shaped.folder);
  return {
    kind: "call",
    call: { ...rest, ...present({ folder }), tool: shaped.tool, args: shaped.args },
  };
}

/** The same where the arguments are text that ought to be JSON. What is none is kept as it was sent. */
export function itemOfText({ input: text, ...call }: NamedCall & { readonly input: string }): Item {
  try {
    return itemOfCall({ ...call, input: JSON.parse(text) as unknown });
  } catch {
    const { name, ...rest } = call;
    const tool = rawTool(name);
    if (tool === null) return { kind: "other-tool", name };
    // A patch may come without any JSON around it.
    if (tool === "apply_patch" && text.includes("*** Begin Patch"))
      return { kind: "call", call: { ...rest, tool, args: { patch: text } } };
    return { kind: "call", call: { ...rest, tool, raw: text } };
  }
}

function shapeOf(name: string): ((input: unknown) => Shaped | null) | undefined {
  if (Object.hasOwn(SHAPES, name)) return SHAPES[name];
  const own = PREFIXED.exec(name)?.[1];
  return own === undefined ? undefined : SHAPES[own];
}

function rawTool(name: string): string | null {
  if (name === "Edit" || name === "MultiEdit") return "edit";
  if (name === "Write") return "write";
  const own = PREFIXED.exec(name)?.[1] ?? name;
  return ["edit_files", "apply_patch", "edit", "write", "delete"].includes(own) ? own : null;
}

function patchArguments(input: unknown): Shaped {
  const text =
    typeof input === "string"
      ? input
      : isObject(input)
        ? (input["patch"] ?? input["input"])
        : undefined;
  return { tool: "apply_patch", args: typeof text === "string" ? { patch: text } : input };
}

/** Exactly the fields `edit` knows; what is not of Claude Code's shape is kept as it is. */
function claudeEdit(input: unknown): Shaped {
  if (!isObject(input) || typeof input["file_path"] !== "string")
    return { tool: "edit", args: input };
  const { file_path: path, edits } = input;
  if (!Array.isArray(edits)) return { tool: "edit", args: { path, ...replacement(input) } };
  const entries = edits.map((entry: unknown) => (isObject(entry) ? replacement(entry) : entry));
  return { tool: "edit", args: { path, edits: entries } };
}

function replacement({ old_string, new_string, replace_all }: JsonObject): JsonObject {
  return present<JsonObject>({ old_string, new_string, replace_all });
}

function shellArguments(input: unknown): Shaped | null {
  if (!isObject(input)) return null;
  const found = shellPatch(input["command"] ?? input["cmd"]);
  if (found === null) return null;
  const workdir = textOf(input["workdir"]) ?? textOf(input["working_directory"]);
  const folder = found.folder === undefined ? workdir : joined(workdir, found.folder);
  return { tool: "apply_patch", args: { patch: found.patch }, ...present({ folder }) };
}

function joined(base: string | undefined, folder: string): string {
  if (base === undefined || /^([/\\~]|[A-Za-z]:)/.test(folder)) return folder;
  return folder === "." ? base : `${base.replace(/[/\\]+$/, "")}/${folder}`;
}

/** A patch that was handed to `apply_patch` in a shell, and the folder that the script changed to first. */
export interface ShellPatch {
  readonly patch: string;
  readonly folder?: string;
}

const HEAD =
  /^\s*(?:cd\s+("[^"\n]*"|'[^'\n]*'|[^\s;&|'"]+)\s*(?:&&|;)\s*)?(?:apply_patch|applypatch)\b[ \t]*/;
const HEREDOC = /^<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([A-Za-z_][\w-]*))[ \t]*\r?\n/;

/**
 * Reads `apply_patch` out of a shell command: as a program with one argument, as a heredoc, or with the patch in
 * single quotes, each also behind `cd FOLDER &&`. Null for every other command. Nothing is expanded or run.
 */
export function shellPatch(command: unknown): ShellPatch | null {
  if (typeof command === "string") return fromScript(command);
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string")) return null;
  const words: readonly string[] = command;
  const [program = "", first = "", second] = words;
  if (/(^|\/)(apply_patch|applypatch)$/.test(program))
    return words.length === 2 ? { patch: first } : null;
  const isShell = /(^|[/\\])(bash|zsh|sh|pwsh|powershell)(\.exe)?$/i.test(program);
  if (isShell && /^-(l?c|command)$/i.test(first) && second !== undefined) return fromScript(second);
  return null;
}

function fromScript(script: string): ShellPatch | null {
  const head = HEAD.exec(script);
  if (head === null) return null;
  const folder = head[1]?.replace(/^(["'])(.*)\1$/, "$2");
  const rest = script.slice(head[0].length);
  const patch = heredoc(rest) ?? quoted(rest);
  if (patch === null) return null;
  return { patch, ...(folder === undefined ? {} : { folder }) };
}

function heredoc(text: string): string | null {
  const start = HEREDOC.exec(text);
  if (start === null) return null;
  const word = start[1] ?? start[2] ?? start[3] ?? "";
  const lines = text.slice(start[0].length).split("\n");
  const end = lines.findIndex((line) => line.replace(/\r$/, "").replace(/^\t+/, "") === word);
  return end < 0 ? null : lines.slice(0, end).join("\n");
}

/** One word in single quotes, in which a quote is written as `'\''`. */
function quoted(text: string): string | null {
  const word = text.trimEnd();
  if (!word.startsWith("'") || !word.endsWith("'") || word.length < 2) return null;
  const pieces = word.slice(1, -1).split("'\\''");
  return pieces.some((piece) => piece.includes("'")) ? null : pieces.join("'");
}

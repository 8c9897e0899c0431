/** A command line that does not fit; the message says which word. Exit status 3. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** By its name: each command is a bundle of its own, with a class of its own. */
export function isUsageError(error: unknown): error is Error {
  return error instanceof Error && error.name === "UsageError";
}

export const usage = `Usage: agent-edit-review COMMAND [options]

  apply [--root DIR] [--dry-run] [--json] [--tool NAME] [FILE|-]
      Applies calls to the files below DIR (default: this folder).
      FILE (default: standard input) holds {"tool": NAME, "input": {...}} or
      {"tool": NAME, "raw": "text as the model sent it"}, or an array of these,
      run in order in one session. With --tool NAME the whole FILE is the input.
      --dry-run writes nothing and prints what each call would come to with the
      files as they are; --json prints the structured result.
      Exit status of the last call: 0 applied, 1 partial, 2 nothing applied, 3 usage.
  mcp [--root DIR] [--permission JSON] [--model NAME]
      Serves the tools over MCP on standard input and output, for the files below
      DIR. JSON is like the setting agentEditReview.permission; what a rule would
      ask about is refused, since there is nobody to ask. With --model only the
      tools that fit this model are offered.
  schema [TOOL]
      Prints the JSON Schema of one tool, or the names of all.
  help
`;

import { fail, ok, type Result } from "../../base/result.ts";
import type { FileProblem } from "../../engine/index.ts";
import type { PathRules } from "./paths.ts";

type UriRules = Pick<PathRules, "platform" | "scheme" | "authority">;

/**
 * The path inside a URI of the workspace's own scheme; any other text is its own path. A percent sign that is no
 * escape, `?` and `#` are taken by their letters, since models paste paths behind a scheme more often than URIs.
 */
export function pathOfUri(asked: string, rules: UriRules): Result<string, FileProblem> {
  const parts = /^([a-z][a-z0-9+.-]+):(\/\/([^/]*))?(.*)$/is.exec(asked);
  if (parts === null) return ok(asked);
  const [, scheme = "", slashes, authority = "", rest = ""] = parts;
  const isUri = slashes !== undefined || rest.startsWith("/") || OPAQUE.has(scheme.toLowerCase());
  if (!isUri) return ok(asked);
  if (scheme.toLowerCase() !== rules.scheme)
    return fail({ code: "path-foreign-scheme", path: asked, scheme: scheme.toLowerCase() });
  const path = decodePercent(rest);
  if (rules.scheme !== "file")
    return decodePercent(authority) === decodePercent(rules.authority)
      ? ok(path)
      : fail({ code: "path-outside", path: asked, real: null });
  const isLocal = authority === "" || authority.toLowerCase() === "localhost";
  if (rules.platform === "win32") {
    if (!isLocal) return ok(`\\\\${decodePercent(authority)}${path}`);
    return ok(/^\/[a-z]:/i.test(path) ? path.slice(1) : path);
  }
  return isLocal ? ok(path) : fail({ code: "path-outside", path: asked, real: null });
}

/** Schemes that come without a slash; on a POSIX disk any other `word:` may begin a file's name. */
const OPAQUE = new Set(["untitled", "data", "javascript", "vscode", "vscode-userdata"]);

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not an escape, so the letters are meant. A wrong path is told as missing, with its look-alikes.
    return text;
  }
}

import { foldName, type Spelling } from "./pathSpellings.ts";
import type { PathGlob } from "./pathGlob.ts";

/** Whether a pattern speaks of the sensitive thing itself. Only such a rule may loosen the default. */
type Named = (glob: PathGlob) => boolean;

interface SensitiveName {
  readonly pattern: RegExp;
  /** A pattern that speaks of it contains one of these. */
  readonly words: readonly string[];
}

/** Folders in which a changed file runs as a program, steers the editor or holds keys. */
const FOLDERS: readonly SensitiveName[] = [
  // git~1 is the short name that Windows gives to .git.
  { pattern: /^(\.git|git~\d+)$/, words: [".git"] },
  { pattern: /^\.vscode$/, words: [".vscode"] },
  { pattern: /^\.ssh$/, words: [".ssh"] },
  { pattern: /^\.gnupg$/, words: [".gnupg"] },
  { pattern: /^\.aws$/, words: [".aws"] },
];

const FILES: readonly SensitiveName[] = [
  { pattern: /^\.env/, words: [".env"] },
  // A workspace file carries settings, this extension's among them.
  { pattern: /\.code-workspace$/, words: [".code-workspace"] },
  {
    pattern: /\.(pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx)$/,
    words: [".pem", ".key", ".p8", ".p12", ".pfx", ".ppk", ".jks", ".keystore", ".kdbx"],
  },
  { pattern: /^id_(rsa|dsa|ecdsa|ed25519)/, words: ["id_"] },
  {
    pattern: /^(\.npmrc|\.pypirc|\.netrc|_netrc|\.pgpass|\.htpasswd|\.git-credentials)$/,
    words: [".npmrc", ".pypirc", "netrc", ".pgpass", ".htpasswd", ".git-credentials"],
  },
];

/**
 * Why a path asks by default, one entry for each reason; empty for an ordinary file of the workspace. Each entry
 * tells whether a pattern names that reason.
 */
export function sensitivityOf({ relative, shortened }: Spelling): readonly Named[] {
  const out: Named[] = [];
  // What a shortened name hides cannot be named either.
  if (shortened) out.push(() => false);
  if (relative === null) out.push((glob) => glob.absolute && !glob.blanket);
  const names = foldName(relative ?? "").split("/");
  for (const { pattern, words } of FOLDERS)
    if (names.some((name) => pattern.test(name))) out.push(naming(words));
  const last = names.at(-1) ?? "";
  for (const { pattern, words } of FILES) if (pattern.test(last)) out.push(naming(words));
  return out;
}

function naming(words: readonly string[]): Named {
  return ({ source }) => words.some((word) => foldName(source).includes(word));
}

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { DiffMatchPatch, Peers } from "./benchCase.ts";

// Programs that do the same work, in the versions that the figures were made with. They are fetched when the bench
// is run, never with the project.

const FOLDER = join(import.meta.dirname, "..", "..", ".vscode-test", "bench-peers");

const PACKAGES: Readonly<Record<string, string>> = {
  "@openai/agents-core": "0.20.0",
  "@openai/codex": "0.171.0",
  diff: "9.0.0",
  "diff-match-patch": "1.0.5",
};

const NOT_ON_NPM = [
  "GitHub Copilot Chat's patch parser is left out: no npm package carries it (@vscode/chat-lib 0.66.0 has no patch or replace tool).",
  "opencode, Roo Code, Cline and gemini-cli are left out: npm has them as whole programs, without their patch and replace functions to import alone.",
];

/** Fetches the peers where needed. One that cannot be had is left out with a sentence; nothing here throws. */
export function loadPeers(): Peers {
  const missing = [...NOT_ON_NPM];
  for (const [name, version] of Object.entries(PACKAGES)) {
    const problem = isInstalled(name, version) ? null : install(name, version);
    if (problem !== null) missing.push(`${name} ${version} is left out: ${problem}.`);
  }
  const require = createRequire(join(FOLDER, "index.js"));
  const load = <T>(what: string, read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      missing.push(`${what} is left out: ${firstLine(String(error))}.`);
      return null;
    }
  };
  return {
    codex: load("codex", () => ({ binary: findCodex() })),
    agentsCore: load("agents-core", () => {
      const file = join(
        FOLDER,
        "node_modules",
        "@openai",
        "agents-core",
        "dist",
        "utils",
        "applyDiff.js",
      );
      return (require(file) as { applyDiff: (input: string, diff: string) => string }).applyDiff;
    }),
    jsdiff: load("diff", () => {
      const diff = require("diff") as {
        applyPatch: (source: string, patch: string) => string | false;
      };
      return (source, patch) => diff.applyPatch(source, patch);
    }),
    dmp: load("diff-match-patch", () => {
      const Dmp = require("diff-match-patch") as new () => DiffMatchPatch;
      return new Dmp();
    }),
    missing,
  };
}

function isInstalled(name: string, version: string): boolean {
  try {
    const text = readFileSync(join(FOLDER, "node_modules", name, "package.json"), "utf8");
    return (JSON.parse(text) as { version?: unknown }).version === version;
  } catch {
    return false;
  }
}

function install(name: string, version: string): string | null {
  mkdirSync(FOLDER, { recursive: true });
  const manifest = join(FOLDER, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  console.error(`fetching ${name}@${version} …`);
  const npm = spawnSync(
    "npm",
    [
      "install",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--prefix",
      FOLDER,
      `${name}@${version}`,
    ],
    { cwd: FOLDER, encoding: "utf8", timeout: 300_000, shell: process.platform === "win32" },
  );
  if (npm.status === 0) return null;
  const said =
    npm.error?.message ?? npm.stderr.split("\n").find((line) => line.includes("npm error"));
  return `npm could not fetch it (${said ?? `exit code ${npm.status}`})`;
}

/** The native program in the package of this platform. Called by the name apply_patch it does nothing else. */
function findCodex(): string {
  const folder = join(
    FOLDER,
    "node_modules",
    "@openai",
    `codex-${process.platform}-${process.arch}`,
  );
  const machine = process.arch === "arm64" ? "aarch64" : "x86_64";
  const system =
    process.platform === "darwin"
      ? "apple-darwin"
      : process.platform === "win32"
        ? "pc-windows-msvc"
        : "unknown-linux-musl";
  const name = process.platform === "win32" ? "codex.exe" : "codex";
  const binary = join(folder, "vendor", `${machine}-${system}`, "bin", name);
  if (!existsSync(binary)) throw new Error(`no native program at ${binary}`);
  return binary;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

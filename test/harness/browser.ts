import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { ensureBrowser } from "./install.ts";
import { messageOf } from "./wait.ts";

/** Starts a headless browser: the user's Chrome, Chromium or Edge if one is there and starts,
 *  else the one that npm has. The workbench is a web page, so any of them shows the same. */
export async function launchBrowser(): Promise<Browser> {
  const failures: string[] = [];
  for (const executable of installedBrowsers()) {
    try {
      return await launch(executable, {});
    } catch (error) {
      failures.push(`${executable}: ${reasonOf(error)}`);
    }
  }
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(explain(failures, "npm has a browser for Linux on x64 only."));
  }
  const packaged = await ensureBrowser();
  try {
    return await launch(packaged.executable, packaged.env);
  } catch (error) {
    failures.push(`${packaged.executable}: ${reasonOf(error)}`);
    throw new Error(explain(failures, missingLibraries(packaged.executable, packaged.env)), {
      cause: error,
    });
  }
}

function launch(executablePath: string, env: Readonly<Record<string, string>>): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    timeout: 30_000,
    env: { ...definedEnv(), ...env },
    args: [
      "--disable-gpu",
      "--disable-quic",
      // Containers often give /dev/shm 64 MB only, and a renderer without it crashes.
      "--disable-dev-shm-usage",
      // A hidden page would have its timers slowed down.
      "--disable-background-timer-throttling",
      "--disable-renderer-backgrounding",
    ],
  });
}

function definedEnv(): Record<string, string> {
  const pairs = Object.entries(process.env);
  return Object.fromEntries(
    pairs.filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** Browsers that are likely to be there, most wanted first. CHROME_PATH overrules the search. */
export function installedBrowsers(): readonly string[] {
  const wanted = process.env["CHROME_PATH"];
  if (wanted !== undefined && wanted !== "") return [wanted];
  const found = [...onPath(), ...usualPlaces()].filter((file) => existsSync(file));
  return [...new Set(found)];
}

const NAMES = [
  "google-chrome",
  "google-chrome-stable",
  "chromium",
  "chromium-browser",
  "microsoft-edge",
  "microsoft-edge-stable",
];

function onPath(): readonly string[] {
  if (process.platform !== "linux") return [];
  const dirs = (process.env["PATH"] ?? "").split(delimiter).filter((dir) => dir !== "");
  return NAMES.flatMap((name) => dirs.map((dir) => join(dir, name)));
}

function usualPlaces(): readonly string[] {
  if (process.platform === "darwin") {
    const names = ["Google Chrome", "Chromium", "Microsoft Edge"];
    const roots = ["/Applications", join(process.env["HOME"] ?? "", "Applications")];
    return names.flatMap((n) => roots.map((root) => join(root, `${n}.app/Contents/MacOS/${n}`)));
  }
  if (process.platform === "win32") {
    const names = [
      "Google\\Chrome\\Application\\chrome.exe",
      "Microsoft\\Edge\\Application\\msedge.exe",
    ];
    const roots = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map((n) => process.env[n]);
    return names.flatMap((name) => roots.flatMap((root) => (root ? [join(root, name)] : [])));
  }
  return [
    "/opt/google/chrome/chrome",
    "/opt/microsoft/msedge/msedge",
    "/usr/lib/chromium/chromium",
    "/snap/bin/chromium",
  ];
}

/** Names what the dynamic loader cannot find, so that the user knows what to install. */
function missingLibraries(executable: string, env: Readonly<Record<string, string>>): string {
  try {
    const options = { env: { ...process.env, ...env }, encoding: "utf8" } as const;
    const lines = execFileSync("ldd", [executable], options).split("\n");
    const missing = lines.filter((line) => line.includes("not found")).map((line) => line.trim());
    if (missing.length === 0) return "All its libraries are there, so see its own message above.";
    return `These libraries are missing:\n  ${missing.join("\n  ")}`;
  } catch {
    return "It needs a Linux with glibc 2.34 or newer, which this machine does not seem to be.";
  }
}

function explain(failures: readonly string[], reason: string): string {
  return [
    "No browser can be started to show VS Code in.",
    ...failures,
    reason,
    "Install Google Chrome, Chromium or Microsoft Edge (Debian and Ubuntu: apt-get install " +
      "chromium), or set CHROME_PATH to the browser's executable.",
  ].join("\n");
}

/** Playwright reports its whole command line; what the browser itself said is enough. */
function reasonOf(error: unknown): string {
  const lines = messageOf(error).split("\n");
  const said = lines.filter((line) => /^\[pid=\d+\]\[err\]/.test(line));
  return [lines[0], ...said.slice(0, 10)].join("\n");
}

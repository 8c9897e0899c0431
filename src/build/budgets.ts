/** Sizes that must not grow unnoticed: bundles, what is packaged, and what is loaded at activation. */
import { execFileSync } from "node:child_process";
import { readFile, stat } from "node:fs/promises";

const KB = 1024;
const BUNDLES: readonly (readonly [file: string, bytesMax: number])[] = [
  // All that activation loads: it only registers. How long it takes is measured by the bench.
  ["dist/extension.cjs", 16 * KB],
  // All that a first use loads.
  ["dist/host.cjs", 460 * KB],
  ["dist/webview/main.js", 500 * KB],
];
/** Every file of the package matches one of these. */
const PACKAGED =
  /^(dist\/[\w-]+\.cjs|dist\/webview\/(main\.(js|css)|codicon\.ttf)|media\/(icon\.png|view\.svg)|test\/sample\/.*|package\.json|README\.md|CHANGELOG\.md|LICENSE|ThirdPartyNotices\.txt)$/;
const PACKAGED_FILES_MAX = 40;

let failed = false;
function check(ok: boolean, sentence: string): void {
  console.log(`${ok ? "ok  " : "FAIL"} ${sentence}`);
  if (!ok) failed = true;
}

for (const [file, bytesMax] of BUNDLES) {
  const { size } = await stat(file);
  check(size <= bytesMax, `${file}: ${Math.ceil(size / KB)} KB of ${bytesMax / KB} KB`);
}

const outputs = JSON.parse(await readFile("dist/meta.json", "utf8")) as Record<
  string,
  { inputs: Record<string, { bytesInOutput: number }> }
>;
const entry = outputs["dist/extension.cjs"];
const largest = Object.entries(entry?.inputs ?? {})
  .sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)
  .slice(0, 3)
  .map(([name, { bytesInOutput }]) => `${name} ${Math.ceil(bytesInOutput / KB)} KB`);
console.log(`     largest inputs of the host entry: ${largest.join(", ")}`);

const listed = execFileSync("node_modules/.bin/vsce", ["ls", "--no-dependencies"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith(" "));
const odd = listed.filter((file) => !PACKAGED.test(file));
check(
  odd.length === 0,
  `packaged files are all needed${odd.length > 0 ? `, not: ${odd.join(", ")}` : ""}`,
);
check(
  listed.length > 5 && listed.length <= PACKAGED_FILES_MAX,
  `${listed.length} packaged files of at most ${PACKAGED_FILES_MAX}`,
);

const manifest = JSON.parse(await readFile("package.json", "utf8")) as {
  activationEvents: string[];
};
check(manifest.activationEvents.length === 0, "nothing is activated at start-up");

if (failed) process.exitCode = 1;

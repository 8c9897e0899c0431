/**
 * Checks the layer rules of layers.cjs. It fails when fewer modules were seen than there are source files: a checker
 * that cruised nothing reports no violation either.
 */
import { globSync } from "node:fs";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractConfig from "dependency-cruiser/config-utl/extract-depcruise-config";
import extractTsConfig from "dependency-cruiser/config-utl/extract-ts-config";

const FOLDERS =
  /^src\/(base|engine|tools|protocol|app|agent|adapters|build)\/|^src\/[^/]+$|^webview\//;

const files = globSync("{src,webview}/**/*.{ts,tsx}");
const config = await extractConfig("./src/build/layers.cjs");
const { output } = await cruise(
  ["src", "webview"],
  { ...config.options, ruleSet: { forbidden: config.forbidden ?? [] }, validate: true },
  {},
  { tsConfig: extractTsConfig("./tsconfig.json") },
);
const { modules, summary } = output as ICruiseResult;
const seen = new Set(modules.map(({ source }) => source));
const unseen = files.filter((file) => !seen.has(file) && !file.endsWith(".d.ts"));
const homeless = files.filter((file) => !FOLDERS.test(file));
for (const { rule, from, to } of summary.violations)
  console.log(`${from} → ${to}: breaks "${rule.name}"`);
for (const file of unseen) console.log(`${file}: was not looked at`);
for (const file of homeless) console.log(`${file}: lies in a folder that has no layer`);
if (summary.violations.length + unseen.length + homeless.length > 0) process.exitCode = 1;
else console.log(`${seen.size} modules keep their layers`);

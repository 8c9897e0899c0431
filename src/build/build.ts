/**
 * Builds dist/: the extension host entry, the command line, their lazily loaded chunks, and the webview.
 * `--watch` rebuilds; `--meta` writes dist/meta.json for the budgets.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { context, type BuildOptions, type Metafile } from "esbuild";
import { hostBundles } from "./hostBundles.ts";

const root = path.resolve(import.meta.dirname, "../..");
const production = !process.argv.includes("--watch");

const shared = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  minify: production,
  sourcemap: production ? false : "linked",
  logLevel: "warning",
  legalComments: "none",
} satisfies BuildOptions;

const webview: BuildOptions = {
  ...shared,
  entryPoints: { main: "webview/main.tsx" },
  outdir: "dist/webview",
  platform: "browser",
  target: "es2022",
  format: "iife",
  jsx: "automatic",
  loader: { ".ttf": "file" },
  assetNames: "[name]",
  define: { "process.env.NODE_ENV": production ? '"production"' : '"development"' },
};

async function run(): Promise<void> {
  if (production) await rm(path.join(root, "dist"), { recursive: true, force: true });
  await mkdir(path.join(root, "dist"), { recursive: true });
  const metas: Metafile[] = [];
  const build = async (options: BuildOptions): Promise<void> => {
    const session = await context(options);
    const { metafile } = await session.rebuild();
    if (metafile !== undefined) metas.push(metafile);
    if (production) await session.dispose();
    else await session.watch();
  };
  const entries = [
    { entry: "src/extension.ts" },
    { entry: "src/cli.ts", options: { banner: { js: "#!/usr/bin/env node" } } },
  ];
  await Promise.all([hostBundles(entries, "dist", shared, build), build(webview)]);
  if (process.argv.includes("--meta")) {
    const outputs = Object.assign({}, ...metas.map((meta) => meta.outputs)) as Metafile["outputs"];
    await writeFile(path.join(root, "dist/meta.json"), JSON.stringify(outputs));
  }
}

await run();

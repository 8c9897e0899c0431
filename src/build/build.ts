/**
 * Builds dist/: the extension host entry, the command line, their lazily loaded chunks, and the webview.
 *
 * A dynamic `import("./x.ts")` in host code becomes a chunk of its own (dist/x.cjs), so that codecs, MCP and other
 * heavy parts cost nothing until they are used. `--watch` rebuilds; `--meta` writes dist/meta.json for the budgets.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { context, type BuildOptions, type Metafile, type Plugin } from "esbuild";

const root = path.resolve(import.meta.dirname, "../..");
const production = !process.argv.includes("--watch");

/** Turns dynamic imports of our own files into separate entries, found while bundling and built afterwards. */
function lazyChunks(found: Set<string>): Plugin {
  return {
    name: "lazy-chunks",
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\// }, ({ kind, path: asked, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const file = path.resolve(resolveDir, asked);
        found.add(file);
        return { path: `./${path.basename(file).replace(/\.tsx?$/, "")}.cjs`, external: true };
      });
    },
  };
}

const shared: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  minify: production,
  sourcemap: production ? false : "linked",
  logLevel: "warning",
  legalComments: "none",
};

function host(entry: string, found: Set<string>, extra: BuildOptions = {}): BuildOptions {
  return {
    ...shared,
    entryPoints: [entry],
    outfile: `dist/${path.basename(entry).replace(/\.ts$/, "")}.cjs`,
    platform: "node",
    target: "node22",
    format: "cjs",
    external: ["vscode"],
    plugins: [lazyChunks(found)],
    ...extra,
  };
}

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
  const found = new Set<string>();
  const metas: Metafile[] = [];
  const build = async (options: BuildOptions): Promise<void> => {
    const session = await context(options);
    const { metafile } = await session.rebuild();
    if (metafile !== undefined) metas.push(metafile);
    if (production) await session.dispose();
    else await session.watch();
  };
  await Promise.all([
    build(host("src/extension.ts", found)),
    build(host("src/cli.ts", found, { banner: { js: "#!/usr/bin/env node" } })),
    build(webview),
  ]);
  // Chunks may have chunks of their own.
  const built = new Set<string>();
  for (;;) {
    const next = [...found].filter((file) => !built.has(file));
    if (next.length === 0) break;
    for (const file of next) built.add(file);
    await Promise.all(next.map((file) => build(host(path.relative(root, file), found))));
  }
  if (process.argv.includes("--meta")) {
    const outputs = Object.assign({}, ...metas.map((meta) => meta.outputs)) as Metafile["outputs"];
    await writeFile(path.join(root, "dist/meta.json"), JSON.stringify(outputs));
  }
}

await run();

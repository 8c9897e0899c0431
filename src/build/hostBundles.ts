/**
 * What runs in Node: an entry, and what it loads lazily. A dynamic `import("./x.ts")` becomes a chunk of its own
 * (dist/x.cjs), so that codecs, MCP and other heavy parts cost nothing until they are used. A module that two bundles
 * hold exists twice: no class and no state of one is that of the other.
 */
import path from "node:path";
import type { BuildOptions, Plugin } from "esbuild";

export interface HostEntry {
  /** Relative to `absWorkingDir` of the options. */
  readonly entry: string;
  readonly options?: BuildOptions;
}

/** Hands `build` the options of each entry and of every chunk that is found on the way. */
export async function hostBundles(
  entries: readonly HostEntry[],
  outdir: string,
  shared: BuildOptions & { readonly absWorkingDir: string },
  build: (options: BuildOptions) => Promise<void>,
): Promise<void> {
  const found = new Set<string>();
  const bundle = ({ entry, options = {} }: HostEntry): Promise<void> =>
    build({
      ...shared,
      entryPoints: [entry],
      outfile: `${outdir}/${path.basename(entry).replace(/\.ts$/, "")}.cjs`,
      platform: "node",
      target: "node22",
      format: "cjs",
      external: ["vscode"],
      plugins: [lazyChunks(found)],
      ...options,
    });
  await Promise.all(entries.map(bundle));
  // Chunks may have chunks of their own.
  const built = new Set<string>();
  for (;;) {
    const next = [...found].filter((file) => !built.has(file));
    if (next.length === 0) return;
    for (const file of next) built.add(file);
    await Promise.all(
      next.map((file) => bundle({ entry: path.relative(shared.absWorkingDir, file) })),
    );
  }
}

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

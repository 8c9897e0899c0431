// Which folder may import which: the layers of src/README.md, checked by dependency-cruiser in `npm run check`.
// Each rule says what to do instead.
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { pathNot: allowed },
});
const npm = (...names) => `^node_modules/(@types/)?(${names.join("|")})(/|$)`;

module.exports = {
  forbidden: [
    only("base", "^src/base/", "^src/base/", "base imports nothing; move the code up a layer."),
    only(
      "engine",
      "^src/engine/",
      `^src/(base|engine)/|${npm("diff")}`,
      "The engine is pure: hand what it needs in as an argument.",
    ),
    only(
      "tools",
      "^src/tools/",
      `^src/(base|tools)/|^src/engine/index\\.ts$|${npm("zod")}`,
      "Tools decode and describe; whatever waits or touches files belongs to app or an adapter.",
    ),
    only(
      "protocol",
      "^src/protocol/",
      `^src/(base|protocol)/|${npm("zod")}`,
      "Protocol shapes cross to the webview; engine internals stay behind.",
    ),
    only(
      "app",
      "^src/app/",
      `^src/(base|app|tools|protocol)/|^src/engine/index\\.ts$|${npm("zod", "picomatch")}`,
      "The app layer reaches the world through src/app/ports.ts only.",
    ),
    only(
      "node-adapter",
      "^src/adapters/node/",
      `^src/(base|tools|protocol|app|agent)/|^src/engine/(index|encoding/)|^src/adapters/node/|^package\\.json$|^node_modules/(?!react|@types/vscode)|^(node:)?[a-z_/]+$`,
      "The Node adapters know no editor.",
    ),
    only(
      "vscode-adapter",
      "^src/adapters/vscode/",
      `^src/(base|tools|protocol|app|agent|adapters)/|^src/engine/(index|encoding/)|^node_modules/(?!react)|^vscode$|^(node:)?[a-z_/]+$`,
      "The editor adapters go through the engine's door.",
    ),
    only(
      "webview",
      "^webview/",
      `^webview/|^src/(base|protocol)/|^node_modules/`,
      "The webview draws protocol shapes; it holds no truth and makes no diff.",
    ),
    {
      name: "no-diff-in-webview",
      comment: "Diffs come from the host; the webview only draws them.",
      severity: "error",
      from: { path: "^webview/" },
      to: { path: "^node_modules/(diff|zod)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "engine-door",
      comment: "Import the engine through src/engine/index.ts.",
      severity: "error",
      from: { path: "^(src|webview)/", pathNot: "^src/(engine|adapters)/" },
      to: { path: "^src/engine/", pathNot: "^src/engine/index\\.ts$" },
    },
    {
      name: "no-circular",
      severity: "error",
      comment: "Break the circle: one side wants an argument.",
      from: { path: "^(src|webview)/" },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-orphans",
      severity: "error",
      comment: "Nothing imports this file: use it or delete it.",
      from: {
        orphan: true,
        path: "^(src|webview)/",
        pathNot: "^src/build/|tsconfig\\.json$|\\.d\\.ts$",
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|test/sample)" },
    tsPreCompilationDeps: "specify",
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".json"],
    },
  },
};

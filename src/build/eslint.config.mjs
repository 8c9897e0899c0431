import path from "node:path";
import tseslint from "typescript-eslint";

const TYPED = {
  files: ["src/**/*.ts", "webview/**/*.{ts,tsx}"],
  extends: [tseslint.configs.recommendedTypeChecked],
  languageOptions: {
    parserOptions: {
      project: ["tsconfig.json", "webview/tsconfig.json"],
      tsconfigRootDir: path.resolve(import.meta.dirname, "../.."),
    },
  },
  rules: {
    "@typescript-eslint/consistent-type-imports": "error",
    "@typescript-eslint/no-explicit-any": "error",
    "@typescript-eslint/no-floating-promises": "error",
    "@typescript-eslint/only-throw-error": "error",
    "@typescript-eslint/switch-exhaustiveness-check": [
      "error",
      { considerDefaultExhaustiveForUnions: true },
    ],
    "@typescript-eslint/restrict-template-expressions": [
      "error",
      { allowNumber: true, allowBoolean: true },
    ],
    "@typescript-eslint/no-unnecessary-condition": "off",
  },
};

/** Types are checked by tsc, layout by prettier, layers by dependency-cruiser; here is what those cannot see. */
export default tseslint.config(
  {
    ignores: [
      "dist/**",
      "node_modules/**",
      ".vscode-test/**",
      "test/sample/**",
      "test/vitest.config.ts",
      "**/*.cjs",
      "**/*.mjs",
    ],
  },
  {
    files: ["src/**/*.ts", "webview/**/*.{ts,tsx}", "test/**/*.{ts,tsx}"],
    linterOptions: { reportUnusedDisableDirectives: "error", noInlineConfig: true },
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      "max-lines": ["error", { max: 500, skipBlankLines: true, skipComments: true }],
      "no-restricted-syntax": [
        "error",
        { selector: "ExportDefaultDeclaration", message: "Export by name." },
        { selector: "ExportAllDeclaration", message: "Name what a module gives away." },
        {
          selector: "MemberExpression[property.name='pathname'] > NewExpression[callee.name='URL']",
          message: "A space in a folder's name is %20 there: use import.meta.dirname.",
        },
      ],
    },
  },
  {
    // Rules that need types cost most of the time of a check: they hold for what is shipped, and in the whole test.
    files: process.env.QUICK_LINT === "1" ? ["**/*.{ts,tsx}"] : ["test/**/*.{ts,tsx}"],
    extends: [tseslint.configs.recommended],
    rules: { "@typescript-eslint/consistent-type-imports": "error" },
  },
  ...(process.env.QUICK_LINT === "1" ? [] : [TYPED]),
  {
    files: ["src/engine/**/*.ts", "src/tools/**/*.ts", "src/app/**/*.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "error",
      "no-restricted-globals": [
        "error",
        { name: "process", message: "Hand it in through a port." },
        { name: "Buffer", message: "Use Uint8Array." },
        { name: "Date", message: "Time is an argument (ports.clock)." },
        { name: "setTimeout", message: "Waiting belongs to an adapter." },
      ],
      "no-restricted-properties": [
        "error",
        { object: "Math", property: "random", message: "Randomness is an argument." },
        { object: "Date", property: "now", message: "Time is an argument (ports.clock)." },
      ],
    },
  },
  {
    files: ["test/**/*.{ts,tsx}", "src/build/**/*.ts", "src/cli.ts"],
    rules: { "no-console": "off" },
  },
);

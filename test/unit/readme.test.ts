import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { usage } from "../../src/adapters/node/cliUsage.ts";
import { TOOLS } from "../../src/tools/catalogue.ts";

// What the README promises by name is there, and what there is has its name in it.

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const named = (pattern: RegExp): readonly string[] =>
  [...new Set(Array.from(readme.matchAll(pattern), ([, name = ""]) => name))].sort();

const settings: Readonly<Record<string, { readonly default: unknown }>> = Object.assign(
  {},
  ...manifest.contributes.configuration.map(({ properties }) => properties),
);
const family = (name: string): string => name.replace(/^tools\..*/, "tools.*");

describe("the README names", () => {
  test("every setting and no other", () => {
    const own = Object.keys(settings).map((name) => family(name.replace("agentEditReview.", "")));
    expect(named(/agentEditReview\.([\w.]+\*?)/g).map(family)).toEqual([...new Set(own)].sort());
  });

  test.each([
    ["save", "exact"],
    ["nativeConfirmation", "first"],
    ["ambiguousHunk", "note"],
  ])("the default of %s", (name, value) => {
    const [row = ""] = readme
      .split("\n")
      .filter((line) => line.includes(`| \`agentEditReview.${name}\``));
    expect(row.endsWith(`| \`${value}\` |`)).toBe(true);
    expect(settings[`agentEditReview.${name}`]?.default).toBe(value);
  });

  test("every tool", () => {
    expect(named(/^\| `(\w+)` \| `\{/gm)).toEqual(TOOLS.map(({ name }) => name).sort());
  });

  test("no script that is not there", () => {
    const scripts = ["ci", ...Object.keys(manifest.scripts)];
    const asked = named(/npm (?:run )?(ci|start|test|(?<=run )[\w:]+)/g);
    expect(asked.length).toBeGreaterThan(5);
    expect(scripts).toEqual(expect.arrayContaining([...asked]));
  });

  test("no word of the command line that its usage does not know", () => {
    const words = named(/(?:cli\.cjs"?,? "?|`)(--[a-z-]+|apply|mcp|schema)\b/g);
    expect(words).toEqual(expect.arrayContaining(["--dry-run", "--json", "--model", "apply"]));
    for (const word of words.filter((one) => one !== "--help")) expect(usage).toContain(word);
  });

  test("commands of the palette as they are called", () => {
    const titles = manifest.contributes.commands.map(({ title }) => title.replace("...", "…"));
    for (const name of named(
      /\*\*(?:Agent Edit Review: )?((?:Replay|Import|Export|Run) [^*]+)\*\*/g,
    ))
      expect(titles).toContain(name);
  });
});

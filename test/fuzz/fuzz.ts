/**
 * Fuzzing by hand and at night: `node test/fuzz/fuzz.ts [--seconds 10] [--seed 7]`.
 * Takes the calls of test/cases, spoils text and files, and checks laws that hold for every input. A finding is
 * shrunk and printed, and the exit status is 1. Before anything else a planted fault, the canary, has to be found.
 */
import { readdirSync, readFileSync } from "node:fs";
import { scriptOptions } from "../support/scriptOptions.ts";
import { mutate, randomOf, type Random } from "./mutate.ts";
import { checkPatch, plantedFault, realPatch, type PatchSubject } from "./patchTarget.ts";

export interface FuzzInput {
  readonly patch: string;
  readonly files: Readonly<Record<string, string>>;
}

const { values } = scriptOptions({
  options: {
    seconds: { type: "string", default: "10" },
    seed: { type: "string", default: "7" },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
const CANARY_SECONDS = 2;
const CANARY_RUNS_MIN = 1;

const corpus = readCorpus();
console.log(`fuzz: ${corpus.length} inputs, seed ${seed}`);

const canary = search(plantedFault, CANARY_SECONDS, randomOf(seed));
if (canary.found === null) {
  console.error(`the canary was not found in ${canary.runs} runs: the checks see nothing`);
  process.exit(1);
}
console.log(`canary found after ${Math.max(CANARY_RUNS_MIN, canary.runs)} runs`);

const result = search(realPatch, seconds, randomOf(seed));
if (result.found !== null) {
  const small = shrink(realPatch, result.found.input);
  console.error(`after ${result.runs} runs: ${checkPatch(realPatch, small) ?? result.found.fault}`);
  console.error(JSON.stringify(small, null, 2));
  process.exit(1);
}
console.log(`${result.runs} runs, nothing found`);

interface SearchResult {
  readonly runs: number;
  readonly found: { readonly input: FuzzInput; readonly fault: string } | null;
}

function search(subject: PatchSubject, forSeconds: number, random: Random): SearchResult {
  const until = performance.now() + forSeconds * 1_000;
  let runs = 0;
  while (performance.now() < until) {
    runs++;
    const input = mutate(random.pick(corpus), corpus, random);
    const fault = checkPatch(subject, input);
    if (fault !== null) return { runs, found: { input, fault } };
  }
  return { runs, found: null };
}

/** Leaves out patch lines and file lines as long as some fault stays. */
function shrink(subject: PatchSubject, input: FuzzInput): FuzzInput {
  let small = input;
  for (let again = true; again;) {
    again = false;
    for (const next of smaller(small)) {
      if (checkPatch(subject, next) === null) continue;
      small = next;
      again = true;
      break;
    }
  }
  return small;
}

function* smaller({ patch, files }: FuzzInput): Generator<FuzzInput> {
  const lines = patch.split("\n");
  for (let i = 0; i < lines.length; i++)
    yield { patch: lines.filter((_, k) => k !== i).join("\n"), files };
  for (const [path, text] of Object.entries(files)) {
    const others = Object.entries(files).filter(([name]) => name !== path);
    yield { patch, files: Object.fromEntries(others) };
    const fileLines = text.split("\n");
    if (fileLines.length < 2) continue;
    for (let i = 0; i < fileLines.length; i++)
      yield {
        patch,
        files: { ...files, [path]: fileLines.filter((_, k) => k !== i).join("\n") },
      };
  }
}

function readCorpus(): readonly FuzzInput[] {
  interface Case {
    readonly patch?: readonly string[];
    readonly raw?: string;
    readonly before: Readonly<Record<string, unknown>>;
  }
  const folder = new URL("../cases/apply_patch/", import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as readonly Case[])
    .flatMap(({ patch, raw, before }) => {
      const text = patch?.join("\n") ?? raw;
      const files = Object.fromEntries(
        Object.entries(before).filter(
          (entry): entry is [string, string] => typeof entry[1] === "string",
        ),
      );
      return text === undefined ? [] : [{ patch: text, files }];
    });
}

import { explainFile, type Explanation, type FileProblem } from "../engine/index.ts";

/** The sentences about what became of a file, for whoever reads them. */
export interface Words {
  readonly explain: (problem: FileProblem) => Explanation;
  readonly changedOnSave: (path: string) => string;
}

/** A call is read by a model, an undo by the person who asked for it (`UNDO_WORDS`). */
export const MODEL_WORDS: Words = {
  explain: explainFile,
  changedOnSave: (path) =>
    `Changed on save: the editor's save actions changed the text further, the diff shows what is on disk. Re-read ${path} before editing it again.`,
};

/** Steps that calls and undos share. Without words of their own they speak to a model. */
export interface Spoken {
  readonly words?: Words;
}

export function explain({ words = MODEL_WORDS }: Spoken, problem: FileProblem): Explanation {
  return words.explain(problem);
}

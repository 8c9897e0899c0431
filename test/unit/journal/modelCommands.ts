import fc from "fast-check";
import { STYLES, type Style } from "./modelText.ts";

/** One step of the model test. Numbers choose among what is there then, so every command fits every state. */
export type Command =
  | {
      readonly kind: "call";
      readonly tool: "edit_files" | "edit" | "write" | "delete" | "apply_patch";
      readonly file: number;
      readonly places: readonly number[];
      /** Lines in the place of a line. */
      readonly count: number;
      readonly parts: readonly PatchPart[];
    }
  | {
      readonly kind: "user";
      readonly what: "text" | "type" | "save" | "new" | "delete" | "rename" | "end" | "endings";
      readonly file: number;
      readonly place: number;
      readonly remove: number;
      readonly insert: number;
    }
  | {
      readonly kind: "undo";
      readonly which: number;
      readonly scope: Scope;
      /** How often the undo is undone at once, and that undo again. */
      readonly again: number;
    }
  /** Right after a call: all hunks of one of its files, one by one in some order. */
  | { readonly kind: "hunks"; readonly file: number; readonly order: readonly number[] }
  /** Two windows with a store each undo the same call at once; `waits` are what one has to wait for at each step. */
  | {
      readonly kind: "race";
      readonly which: number;
      readonly scopes: readonly [Scope, Scope];
      readonly waits: readonly number[];
    }
  | {
      readonly kind: "mark";
      readonly which: number;
      readonly file: number;
      readonly kept: boolean;
    }
  | { readonly kind: "restart" };

export interface PatchPart {
  /** `onto`: moved to where another file is deleted; `replace`: moved away, and a new file is in its place. */
  readonly kind: "update" | "add" | "delete" | "move" | "swap" | "onto" | "replace";
  readonly place: number;
  readonly count: number;
}

/** What an undo is to take back. */
export interface Scope {
  readonly scope: "call" | "file" | "hunk";
  readonly file: number;
  readonly hunk: number;
}

const small = fc.nat(2);
const part: fc.Arbitrary<PatchPart> = fc.record({
  kind: fc.constantFrom(
    ...(["update", "update", "add", "delete", "move", "swap", "onto", "replace"] as const),
  ),
  place: fc.nat(30),
  count: small,
});

const scope: fc.Arbitrary<Scope> = fc.record({
  scope: fc.constantFrom("call", "call", "file", "hunk"),
  file: fc.nat(3),
  hunk: small,
});

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      tool: fc.constantFrom("edit_files", "edit_files", "edit", "write", "delete", "apply_patch"),
      file: fc.nat(4),
      places: fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }),
      count: small,
      parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("user" as const),
      what: fc.constantFrom(
        ...(["text", "text", "text", "text", "type", "type", "type", "save"] as const),
        ...(["new", "delete", "rename", "end", "endings"] as const),
      ),
      file: fc.nat(4),
      place: fc.nat(30),
      remove: small,
      insert: small,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("undo" as const),
      which: fc.nat(20),
      scope,
      again: fc.constantFrom(0, 0, 1, 2, 3, 4),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("hunks" as const),
      file: fc.nat(3),
      order: fc.array(fc.nat(9), { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("race" as const),
      which: fc.nat(20),
      scopes: fc.tuple(scope, scope),
      waits: fc.array(fc.nat(6), { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("mark" as const),
      which: fc.nat(20),
      file: fc.nat(3),
      kept: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "restart" as const }) },
);

export interface Story {
  /** Of the files that are there at the start. */
  readonly styles: readonly [Style, Style, Style];
  readonly commands: readonly Command[];
}

const style = fc.constantFrom(...STYLES, "lf", "lf", "lf");

export const stories: fc.Arbitrary<Story> = fc.record({
  styles: fc.tuple(style, style, style),
  commands: fc.array(command, { maxLength: 16, size: "max" }),
});

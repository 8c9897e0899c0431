import fc from "fast-check";

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
      readonly what: "text" | "new" | "delete" | "rename";
      readonly file: number;
      readonly place: number;
      readonly remove: number;
      readonly insert: number;
    }
  | {
      readonly kind: "undo";
      readonly which: number;
      readonly scope: "call" | "file" | "hunk";
      readonly file: number;
      readonly hunk: number;
      /** Whether the undo is undone at once. */
      readonly again: boolean;
    }
  | {
      readonly kind: "mark";
      readonly which: number;
      readonly file: number;
      readonly kept: boolean;
    }
  | { readonly kind: "restart" };

export interface PatchPart {
  readonly kind: "update" | "add" | "delete" | "move" | "swap";
  readonly place: number;
  readonly count: number;
}

/** The text with some of its lines gone and others in their place, as a user leaves it. */
export function cut(
  text: string,
  { place, remove }: { readonly place: number; readonly remove: number },
  insert: readonly string[],
): string {
  const lines = text.match(/.*\r?\n/g) ?? [];
  const ending = text.includes("\r\n") ? "\r\n" : "\n";
  const from = place % (lines.length + 1);
  const added = insert.map((line) => line + ending);
  return [...lines.slice(0, from), ...added, ...lines.slice(from + remove)].join("");
}

const small = fc.nat(2);
const part: fc.Arbitrary<PatchPart> = fc.record({
  kind: fc.constantFrom("update", "update", "add", "delete", "move", "swap"),
  place: fc.nat(30),
  count: small,
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
      what: fc.constantFrom("text", "text", "text", "text", "text", "new", "delete", "rename"),
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
      scope: fc.constantFrom("call", "call", "file", "hunk"),
      file: fc.nat(3),
      hunk: small,
      again: fc.boolean(),
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

export const modelCommands = fc.array(command, { maxLength: 16, size: "max" });

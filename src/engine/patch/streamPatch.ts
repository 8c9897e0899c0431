import { trimSpace } from "../text/whitespace.ts";
import { MARKERS } from "./grammar.ts";
import { OperationReader, PATCH_LIMITS, type OperationDraft } from "./operationReader.ts";
import { parsePatch, type ParsedPatch } from "./parsePatch.ts";

declare const previewOnly: unique symbol;

/**
 * What can be seen of a patch while its text is still arriving. It is made to be shown: the brand, and the lack of
 * any content, keep it away from the planner.
 */
export interface PatchPreview {
  readonly [previewOnly]: true;
  readonly operations: readonly PreviewOperation[];
}

export interface PreviewOperation {
  readonly kind: "add" | "delete" | "update";
  readonly path: string;
  readonly moveTo: string | null;
  /** Hunks that change something, the one under way included. */
  readonly hunks: number;
}

/** Takes a patch text in parts. The work of all parts together is linear in the text. */
export interface PatchStream {
  push(part: string): void;
  preview(): PatchPreview;
  /** The whole text, read as one. Law L10: its preview is what `preview` shows at the end, for every split. */
  end(): ParsedPatch;
}

export function streamPatch(): PatchStream {
  const parts: string[] = [];
  const reader = new OperationReader();
  let rest: string[] = [];
  let number = 0;
  let units = 0;
  let started = false;
  let ended = false;
  const line = (text: string): void => {
    number++;
    if (ended) return;
    const trimmed = trimSpace(text);
    if (!started) {
      // Fences, heredocs and prose stand in front; the reader would take them for faults.
      started = isStart(trimmed);
      if (!started || trimmed.startsWith(MARKERS.begin)) return;
    }
    if (text.startsWith(MARKERS.end)) ended = true;
    else reader.line(text, number);
  };
  return {
    push(part): void {
      units += part.length;
      parts.push(part);
      if (units > PATCH_LIMITS.unitsMax) return;
      if (!part.includes("\n")) {
        rest.push(part);
        return;
      }
      const lines = [...rest, part].join("").split("\n");
      rest = [lines.pop() ?? ""];
      for (const text of lines) line(text.endsWith("\r") ? text.slice(0, -1) : text);
    },
    preview: () => previewOf(reader.operations, reader),
    end(): ParsedPatch {
      return parsePatch(parts.join(""));
    },
  };
}

function isStart(line: string): boolean {
  return [MARKERS.begin, MARKERS.add, MARKERS.delete, MARKERS.update].some((marker) =>
    line.startsWith(marker),
  );
}

function previewOf(drafts: readonly OperationDraft[], reader: OperationReader): PatchPreview {
  const operations = drafts.map((draft, index): PreviewOperation => {
    const isOpen = index === drafts.length - 1 && reader.openHunk?.changes === true;
    return {
      kind: draft.kind,
      path: draft.path,
      moveTo: draft.moveTo,
      hunks: draft.hunks.length + (isOpen ? 1 : 0),
    };
  });
  return { operations } as unknown as PatchPreview;
}

/** The preview of a text that was read as a whole. */
export function previewOfParsed(parsed: ParsedPatch): PatchPreview {
  const operations = parsed.doc.operations.map((operation): PreviewOperation => ({
    kind: operation.kind,
    path: operation.path,
    moveTo: operation.kind === "update" ? operation.moveTo : null,
    hunks: operation.kind === "update" ? operation.hunks.length : 0,
  }));
  return { operations } as unknown as PatchPreview;
}

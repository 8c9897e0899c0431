import type { CallCard } from "../protocol/cards.ts";
import type { CallRecord, FileRecord } from "./record.ts";

/**
 * The cards of one view that show a person's marks. A mark fits a file only while its content is what it was given
 * for, so a later call to the same file makes the card show something that is not true any more.
 */
export interface StaleCards {
  /** A card was sent to the view. */
  sent(call: CallRecord, card: CallCard): void;
  /** Ids of the calls whose cards are to be sent again, now that this call has ended. */
  after(call: CallRecord): readonly string[];
}

export function createStaleCards(): StaleCards {
  const marked = new Map<string, ReadonlySet<string>>();
  return {
    sent({ id, files }, card) {
      marked.delete(id);
      if (card.files.some(({ reviewed }) => reviewed === true))
        marked.set(id, new Set(files.flatMap(placesOf)));
    },
    after({ id, files, endedAt }) {
      if (endedAt === undefined) return [];
      const touched = files
        .filter(({ outcome }) => outcome?.status === "applied" || outcome?.status === "unknown")
        .flatMap(placesOf);
      return [...marked]
        .filter(([other, places]) => other !== id && touched.some((place) => places.has(place)))
        .map(([other]) => other);
    },
  };
}

function placesOf({ absolute, path, movedFrom, outcome }: FileRecord): readonly string[] {
  return [absolute ?? path, movedFrom, outcome?.movedFrom].filter((place) => place !== undefined);
}

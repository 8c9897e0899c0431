/**
 * Counts how often a session failed to match a text in one file, so that a model which retypes old text from memory
 * is told to read again. Pure bookkeeping: the caller says what happened, and appends the note to what the model
 * reads, never to what the panel shows.
 *
 * A file is named by its real path. Law: after a success on a file, or in a new turn, its next failure counts as the
 * first one.
 */
export interface RetryNotes {
  /** A text was not found by approximate matching either. The note to append, from the second time on, else null. */
  failed(attempt: Attempt): string | null;
  /** A call changed the file, or the model read it. */
  succeeded(session: string, file: string): void;
  /** The session's next turn began: what was counted is forgotten. */
  turned(session: string): void;
}

export interface Attempt {
  readonly session: string;
  readonly file: string;
  /** The path as the model sent it. */
  readonly path: string;
}

/** Sessions that are remembered; beyond it the one that was idle longest is forgotten. */
const SESSIONS_MAX = 200;
/** Files of one session. */
const FILES_MAX = 1_000;

export function createRetryNotes(): RetryNotes {
  const sessions = new Map<string, Map<string, number>>();
  return {
    failed({ session, file, path }) {
      const files = sessions.get(session) ?? new Map<string, number>();
      const count = (files.get(file) ?? 0) + 1;
      // Taken out first, so that the map's order is that of the last failure.
      files.delete(file);
      files.set(file, count);
      dropOldest(files, FILES_MAX);
      sessions.delete(session);
      sessions.set(session, files);
      dropOldest(sessions, SESSIONS_MAX);
      return count < 2 ? null : retryNote(count, path);
    },
    succeeded(session, file) {
      sessions.get(session)?.delete(file);
    },
    turned(session) {
      sessions.delete(session);
    },
  };
}

export function retryNote(count: number, path: string): string {
  return (
    `Note: ${count} repeated approximate-match failures for ${path}. The target text likely drifted beyond what ` +
    "the displayed difference shows: read the target range fresh (read with offset/limit), rebuild the old text " +
    "from that output, or switch to write for a whole-block replacement. Do not retry the same old text from memory."
  );
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}

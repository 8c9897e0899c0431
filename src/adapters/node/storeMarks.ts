import type { KeptStore } from "./keptStore.ts";
import type { StoreAccess } from "./storeAccess.ts";

/** A person's marks. One on a call that is not stored is no mark. */
export function markMethods({
  told,
  spare,
  read,
  write,
}: StoreAccess): Pick<KeptStore, "mark" | "unmark" | "marks"> {
  const say = (callId: string, done: ReturnType<typeof write>): void =>
    told.wrote(`mark of ${callId}`, done.ok ? null : done.problem.cause);
  return {
    async mark(mark) {
      const other = spare();
      if (other !== null) return other.mark(mark);
      const done = write((c) =>
        c
          .query(
            `INSERT INTO marks (seq, path, hash, at) SELECT seq, ?, ?, ? FROM calls WHERE id = ?
             ON CONFLICT (seq, path) DO UPDATE SET hash = excluded.hash, at = excluded.at`,
          )
          .run(mark.path, mark.hash, mark.at, mark.callId),
      );
      say(mark.callId, done);
    },
    async unmark(callId, path) {
      const other = spare();
      if (other !== null) return other.unmark(callId, path);
      const done = write((c) =>
        c
          .query("DELETE FROM marks WHERE path = ? AND seq = (SELECT seq FROM calls WHERE id = ?)")
          .run(path, callId),
      );
      say(callId, done);
    },
    async marks(callId) {
      const other = spare();
      if (other !== null) return other.marks(callId);
      const rows = read([], (c) =>
        c
          .query(
            "SELECT path, hash, at FROM marks WHERE seq = (SELECT seq FROM calls WHERE id = ?)",
          )
          .all(callId),
      );
      return rows.map(({ path, hash, at }) => ({
        callId,
        path: String(path),
        hash: typeof hash === "string" ? hash : null,
        at: Number(at),
      }));
    },
  };
}

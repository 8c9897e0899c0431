import { createHash } from "node:crypto";
import type { KeptStore } from "./keptStore.ts";
import { packContent, unpackContent } from "./storeBody.ts";
import type { Connection } from "./storeConnection.ts";
import type { StoreAccess } from "./storeAccess.ts";

/** Contents above this are not kept: one of them would push hundreds of others out. */
const CONTENT_BYTES_MAX = 64_000_000;
/** A content that is kept again is noted as used at most this often. */
const USED_STEP_MS = 60_000;

/** Bytes of files under their SHA-256. A content that cannot be kept costs an undo, and the notice says so. */
export function contentMethods({
  told,
  now,
  spare,
  attempt,
  read,
  write,
}: StoreAccess): Pick<KeptStore, "keep" | "content"> {
  return {
    async keep(bytes) {
      const other = spare();
      if (other !== null) return other.keep(bytes);
      const hash = sha256(bytes);
      const at = now();
      const known = attempt((c) => touch(c, hash, at));
      if (known.ok && known.value) return hash;
      if (bytes.length > CONTENT_BYTES_MAX) {
        told.kept(hash, `a file of ${bytes.length} bytes is too large`);
        return hash;
      }
      const data = await packContent(bytes);
      const done = write((c) => insertContent(c, { hash, size: bytes.length, at, data }));
      told.kept(hash, done.ok ? null : done.problem.cause);
      return hash;
    },
    async content(hash) {
      const other = spare();
      if (other !== null) return other.content(hash);
      const bytes = read(undefined, (c) => readContent(c, hash));
      // An undo must never bring back what the disk made of it.
      if (bytes === undefined || sha256(bytes) === hash) return bytes;
      told.kept(hash, "its stored bytes are damaged");
      return undefined;
    },
  };
}

/** True when the content is there already. */
function touch(connection: Connection, hash: string, at: number): boolean {
  const row = connection.query("SELECT used FROM contents WHERE hash = ?").get(hash);
  if (row === undefined) return false;
  if (Number(row["used"]) < at - USED_STEP_MS)
    connection.query("UPDATE contents SET used = max(used, ?) WHERE hash = ?").run(at, hash);
  return true;
}

interface PackedContent {
  readonly hash: string;
  readonly size: number;
  readonly at: number;
  readonly data: Uint8Array;
}

function insertContent(connection: Connection, { hash, size, at, data }: PackedContent): void {
  connection
    .query(
      "INSERT INTO contents (hash, size, used, data) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING",
    )
    .run(hash, size, at, data);
}

/** Throws for damaged data, like SQLite itself does. */
function readContent(connection: Connection, hash: string): Uint8Array | undefined {
  const row = connection.query("SELECT size, data FROM contents WHERE hash = ?").get(hash);
  const data = row?.["data"];
  return data instanceof Uint8Array ? unpackContent(data, Number(row?.["size"])) : undefined;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

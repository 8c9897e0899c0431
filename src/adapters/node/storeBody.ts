import { deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import { promisify } from "node:util";
import type { CallRecord } from "../../app/record.ts";
import type { Value } from "./storeDatabase.ts";

const deflateLater = promisify(deflateRaw);

/** Below this the saving is not worth the work. */
const DEFLATED_UNITS_MIN = 1_000;
/** A stored record or content larger than this is not read back: it can only be damage. */
const INFLATED_BYTES_MAX = 512_000_000;
/** Contents above this are deflated in a thread, so that the editor does not wait. */
const INLINE_BYTES_MAX = 200_000;

/** JSON as text while the call is under way (it is written again soon), deflated once it ended. */
export function packRecord(call: CallRecord): Value {
  const json = JSON.stringify(call);
  const stays = call.phase === "done" && json.length >= DEFLATED_UNITS_MIN;
  return stays ? deflateRawSync(json, { level: 1 }) : json;
}

/** Null when the body is no record of a version this code knows. */
export function unpackRecord(body: Value | undefined): CallRecord | null {
  try {
    const json =
      body instanceof Uint8Array
        ? inflateRawSync(body, { maxOutputLength: INFLATED_BYTES_MAX }).toString("utf8")
        : String(body);
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Only we write this table, so the shape is known from the version; this finds damage, not malice. */
function isRecord(value: unknown): value is CallRecord {
  if (typeof value !== "object" || value === null) return false;
  if (!("version" in value && "id" in value && "files" in value)) return false;
  return value.version === 1 && typeof value.id === "string" && Array.isArray(value.files);
}

export async function packContent(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length <= INLINE_BYTES_MAX) return deflateRawSync(bytes, { level: 4 });
  return deflateLater(bytes, { level: 1 });
}

/** Throws what zlib throws for damaged data. */
export function unpackContent(data: Uint8Array, size: number): Uint8Array {
  return new Uint8Array(inflateRawSync(data, { maxOutputLength: Math.max(1, size) }));
}

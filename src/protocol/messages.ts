import * as z from "zod";
import { SEARCH_UNITS_MAX, type CallFilter } from "./callFilter.ts";
import type { CallCard } from "./cards.ts";

/**
 * The one channel between host and webview. The view says `ready` whenever it is (re)built and gets a whole
 * `snapshot`; after that come numbered deltas. A gap in `seq` makes the view say `ready` again.
 */
export type ToView =
  | {
      readonly kind: "snapshot";
      readonly version: number;
      readonly seq: number;
      readonly calls: readonly CallCard[];
      /** Older calls that are stored but not sent yet. */
      readonly olderCount: number;
      readonly trusted: boolean;
      /** The session of the newest call, for the scope switch. */
      readonly session: string | null;
      /** A sentence about the store that a person should see (kept in memory, set aside …). */
      readonly storeNotice?: string;
      readonly strings: Readonly<Record<string, string>>;
    }
  | { readonly kind: "call"; readonly seq: number; readonly call: CallCard }
  /** The sentence about the store is another one now, or (null) there is none any more. */
  | { readonly kind: "notice"; readonly seq: number; readonly storeNotice: string | null }
  | {
      readonly kind: "older";
      readonly seq: number;
      readonly calls: readonly CallCard[];
      readonly olderCount: number;
    }
  /**
   * The answer to `search` of that number: calls that fit and were not sent yet, newest first. It is no delta: the
   * view drops it where it has asked for something else since.
   */
  | {
      readonly kind: "found";
      readonly search: number;
      readonly calls: readonly CallCard[];
      /** Where to go on, for the next `search`; null when every stored call was looked at. */
      readonly after: string | null;
      /** Stored calls of the scope behind `after`, which were not looked at yet. */
      readonly left: number;
    }
  /** The host asks the view to bring one call or file into sight; it never takes focus. */
  | { readonly kind: "reveal"; readonly callId: string; readonly fileKey?: string };

/** An imported call has its session and its own id in it, 200 units each. */
const callId = z.string().min(1).max(1_000);
const fileKey = z.string().min(1).max(5000);

const name = z.string().max(10_000);

const Filter = z.strictObject({
  text: z.string().max(SEARCH_UNITS_MAX),
  tool: name.nullable(),
  model: name.nullable(),
  review: z.boolean(),
  rejected: z.boolean(),
  attention: z.boolean(),
}) satisfies z.ZodType<CallFilter>;

/** What the view may ask of the host. The host trusts nothing: every message is parsed with this. */
export const ToHost = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ready") }),
  z.strictObject({ kind: z.literal("loadOlder") }),
  /** Looks for stored calls that were not sent yet, behind `after` (what the last answer said) or from the newest. */
  z.strictObject({
    kind: z.literal("search"),
    search: z.int().min(1),
    filter: Filter,
    /** Only calls of this session. */
    session: name.nullable(),
    after: callId.nullable(),
  }),
  z.strictObject({ kind: z.literal("openFile"), callId, fileKey, line: z.int().min(1).optional() }),
  z.strictObject({ kind: z.literal("openDiff"), callId, fileKey }),
  z.strictObject({
    kind: z.literal("copy"),
    callId,
    fileKey: fileKey.optional(),
    what: z.enum(["path", "resend", "requested", "message"]),
  }),
  z.strictObject({ kind: z.literal("cancelCall"), callId }),
  z.strictObject({ kind: z.literal("runSample") }),
  /** Answers for one file of a call that waits, or (without fileKey) for all that are not answered yet. */
  z.strictObject({
    kind: z.literal("answer"),
    callId,
    fileKey: fileKey.optional(),
    decision: z.enum(["approve", "deny"]),
    hash: z.string().min(1).max(200),
    /** With an approval of one file: further changes of it are approved too, as long as the session lasts. */
    forSession: z.boolean().optional(),
  }),
  /** Takes back a call, one of its files, or one hunk (index into the file's diff) of it. */
  z.strictObject({
    kind: z.literal("undo"),
    callId,
    fileKey: fileKey.optional(),
    hunk: z.int().min(0).optional(),
  }),
  /** Marks a file (or all files of the call) as reviewed, or takes the mark away. */
  z.strictObject({
    kind: z.literal("keep"),
    callId,
    fileKey: fileKey.optional(),
    kept: z.boolean(),
  }),
  /** Plans a rejected file again on the present text; a person confirms before it is applied. */
  z.strictObject({ kind: z.literal("retry"), callId, fileKey }),
]);
export type ToHost = z.infer<typeof ToHost>;
export type SearchMessage = Extract<ToHost, { kind: "search" }>;

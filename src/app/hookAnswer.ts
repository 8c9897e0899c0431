import { fail, ok, type Result } from "../base/result.ts";
import * as z from "zod";
import { walkKeys } from "../tools/jsonTokens.ts";

/** What one hook answered, whichever of the two forms it wrote. All absent: no opinion. */
export interface HookOpinion {
  readonly decision?: "allow" | "ask" | "deny";
  readonly reason?: string;
  /** Present when the hook rewrote the input; `value` is in the form the hook was shown. */
  readonly override?: { readonly value: unknown };
  readonly modelContext?: string;
  readonly userMessage?: string;
}

/** An HTTP answer is read strictly; a command may also write what editors' own hooks write. */
export type AnswerForm = "http" | "command";

/** Caps in bytes of UTF-8. More is a wrong answer, not one to be cut: half a reason or half an input misleads. */
export const HOOK_CAPS = {
  bodyBytesMax: 1_048_576,
  reasonBytesMax: 4_096,
  overrideBytesMax: 262_144,
  messageBytesMax: 16_384,
} as const;

const Capped = (bytesMax: number): z.ZodType<string> =>
  z.string().refine((text) => byteLength(text) <= bytesMax, `is longer than ${bytesMax} bytes`);
const Reason = Capped(HOOK_CAPS.reasonBytesMax);
const Message = Capped(HOOK_CAPS.messageBytesMax);
const Override = z
  .unknown()
  .refine(
    (value) => sizeOf(value) <= HOOK_CAPS.overrideBytesMax,
    `is longer than ${HOOK_CAPS.overrideBytesMax} bytes`,
  );

const Plain = z.strictObject({
  permission: z
    .strictObject({ decision: z.enum(["allow", "deny"]), reason: Reason.optional() })
    .optional(),
  input_override: Override.optional(),
  model_context: Message.optional(),
  user_message: Message.optional(),
});

/** The form of the hooks of VS Code and Claude Code, with the common fields those know. */
const Specific = z.strictObject({
  continue: z.boolean().optional(),
  stopReason: Reason.optional(),
  suppressOutput: z.boolean().optional(),
  systemMessage: Message.optional(),
  decision: z.enum(["approve", "block"]).optional(),
  reason: Reason.optional(),
  hookSpecificOutput: z
    .strictObject({
      hookEventName: z.enum(["PreToolUse", "PostToolUse"]).optional(),
      permissionDecision: z.enum(["allow", "deny", "ask"]).optional(),
      permissionDecisionReason: Reason.optional(),
      updatedInput: Override.optional(),
      additionalContext: Message.optional(),
    })
    .optional(),
});

/**
 * Reads an answer. Empty text and `{}` are no opinion. Unknown fields, a key twice in one object, anything after the
 * JSON value and anything over a cap are problems: who writes them believes something that will not happen.
 */
export function readHookAnswer(text: string, form: AnswerForm): Result<HookOpinion, string> {
  if (byteLength(text) > HOOK_CAPS.bodyBytesMax)
    return fail(`the answer is longer than ${HOOK_CAPS.bodyBytesMax} bytes`);
  if (text.trim() === "") return ok({});
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail("the answer is not JSON");
  }
  const repeated = repeatedKey(text);
  if (repeated !== null) return fail(`the answer repeats the key ${JSON.stringify(repeated)}`);
  if (form === "command" && isSpecific(value)) return readSpecific(value);
  const plain = Plain.safeParse(value);
  return plain.success ? readPlain(plain.data) : fail(issueText(plain.error));
}

function readPlain(answer: z.infer<typeof Plain>): Result<HookOpinion, string> {
  const { permission, model_context, user_message } = answer;
  const rewrites = Object.hasOwn(answer, "input_override");
  if (permission?.decision === "allow" && !rewrites)
    return fail("permission.decision allow needs an input_override; to have no opinion answer {}");
  if (permission?.decision !== "allow" && rewrites)
    return fail("input_override needs permission.decision allow");
  return ok({
    ...(permission === undefined ? {} : { decision: permission.decision }),
    ...(permission?.reason === undefined ? {} : { reason: permission.reason }),
    ...(rewrites ? { override: { value: answer.input_override } } : {}),
    ...(model_context === undefined ? {} : { modelContext: model_context }),
    ...(user_message === undefined ? {} : { userMessage: user_message }),
  });
}

function isSpecific(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.keys(Specific.shape).some((key) => Object.hasOwn(value, key))
  );
}

function readSpecific(value: unknown): Result<HookOpinion, string> {
  const parsed = Specific.safeParse(value);
  if (!parsed.success) return fail(issueText(parsed.error));
  const answer = parsed.data;
  const output = answer.hookSpecificOutput ?? {};
  const stopped = answer.continue === false || answer.decision === "block";
  const decision = stopped ? "deny" : output.permissionDecision;
  const reason = stopped
    ? (answer.stopReason ?? answer.reason ?? output.permissionDecisionReason)
    : output.permissionDecisionReason;
  const rewrites = Object.hasOwn(output, "updatedInput") && decision !== "deny";
  return ok({
    ...(decision === undefined ? {} : { decision }),
    ...(reason === undefined ? {} : { reason }),
    ...(rewrites ? { override: { value: output.updatedInput } } : {}),
    ...(output.additionalContext === undefined ? {} : { modelContext: output.additionalContext }),
    ...(answer.systemMessage === undefined ? {} : { userMessage: answer.systemMessage }),
  });
}

function issueText(error: z.ZodError): string {
  const issue = error.issues[0];
  const place = issue?.path.join(".") ?? "";
  return `the answer has a wrong shape: ${place === "" ? "" : `${place}: `}${issue?.message ?? "?"}`.slice(
    0,
    500,
  );
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function sizeOf(value: unknown): number {
  try {
    return byteLength(JSON.stringify(value) ?? "");
  } catch {
    // Nested deeper than it can be written again: too large by any measure.
    return Infinity;
  }
}

/**
 * The first key that one object of a valid JSON text holds twice, else null. JSON.parse keeps the last one silently,
 * and another reader of the same answer the first.
 */
export function repeatedKey(json: string): string | null {
  let repeated: string | null = null;
  walkKeys(json, undefined, ({ key, earlier }) => {
    if (!earlier.has(key)) return undefined;
    repeated = key;
    return "stop";
  });
  return repeated;
}

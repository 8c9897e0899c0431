import { setTimeout as pause } from "node:timers/promises";
import type { HookReply, HookTransport } from "../../app/hooks.ts";

const RETRY_AFTER_MS = 250;

/**
 * Posts one hook event. A redirect is a wrong answer: a policy server does not move while it is asked. Only a
 * connection that never came about is tried once more; where the server may have read the event, it is not sent twice.
 */
export const postHook: HookTransport = async (url, request, signal) => {
  const deadline = AbortSignal.timeout(request.timeoutMs);
  const stop = AbortSignal.any([deadline, signal]);
  const late = `no answer within ${request.timeoutMs} ms`;
  for (let attempt = 1; ; attempt++) {
    const sent = await send(url, request.body, stop);
    if (stop.aborted) return failed("timeout", signal.aborted ? "the call was interrupted" : late);
    if (sent instanceof Response) {
      const reply = await readReply(sent, request.bytesMax);
      if (!stop.aborted) return reply;
      return failed("timeout", signal.aborted ? "the call was interrupted" : late);
    }
    if (attempt === 2) return failed("connection_error", sent);
    try {
      await pause(RETRY_AFTER_MS, undefined, { signal: stop });
    } catch {
      return failed("connection_error", sent);
    }
  }
};

/** The response, or why there is none. */
async function send(url: string, body: string, signal: AbortSignal): Promise<Response | string> {
  try {
    return await fetch(url, {
      method: "POST",
      body,
      signal,
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        "accept-encoding": "identity",
      },
    });
  } catch (error) {
    return causeOf(error);
  }
}

async function readReply(response: Response, bytesMax: number): Promise<HookReply> {
  const { status } = response;
  if (status < 200 || 299 < status) {
    await response.body?.cancel().catch(() => undefined);
    return failed("http_error", `the server answered with status ${status}`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    const body: AsyncIterable<Uint8Array> | null = response.body;
    for await (const part of body ?? []) {
      bytes += part.length;
      // Leaving the loop cancels the body: what is beyond the cap is never held.
      if (bytesMax < bytes)
        return failed("protocol_error", `the answer is longer than ${bytesMax} bytes`);
      parts.push(part);
    }
  } catch (error) {
    return failed("connection_error", `the answer broke off: ${causeOf(error)}`);
  }
  return decoded(parts);
}

function decoded(parts: readonly Uint8Array[]): HookReply {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
    return { kind: "answered", text, exitCode: 0, stderr: "" };
  } catch {
    return failed("protocol_error", "the answer is not UTF-8");
  }
}

function failed(
  failure: "timeout" | "connection_error" | "http_error" | "protocol_error",
  detail: string,
): HookReply {
  return { kind: "failed", failure, detail };
}

/** fetch says "fetch failed" and keeps the reason in `cause`. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown cause";
  const { cause } = error;
  if (cause instanceof Error && cause.message !== "") return cause.message;
  if (typeof cause === "object" && cause !== null && "code" in cause) return String(cause.code);
  return error.message;
}

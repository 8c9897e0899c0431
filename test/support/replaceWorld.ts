import { posix } from "node:path";
import { fail, ok, type Result } from "../../src/base/result.ts";
import {
  explainReplace,
  explainReplacedFile,
  explanationText,
  planBatch,
  planReplace,
  planWrite,
  sayDeleted,
  sayReplaced,
  sayWritten,
  SourceText,
  type FileProblem,
  type TextChange,
} from "../../src/engine/index.ts";
import { decodeFile, type Decoded } from "../../src/adapters/node/textBody.ts";
import { similarNames } from "../../src/adapters/node/similarNames.ts";
import { deleteTool } from "../../src/tools/deleteFile.ts";
import { editTool, type EditRequest } from "../../src/tools/edit.ts";
import { writeTool, type WriteRequest } from "../../src/tools/write.ts";
import type { Arrived, Tool } from "../../src/tools/tool.ts";

/** Files by relative path, as bytes. */
export type Files = Map<string, Uint8Array>;

export interface ReplaceCall extends Arrived {
  readonly tool: "edit" | "write" | "delete";
}

export interface ReplaceReply {
  readonly applied: boolean;
  /** What the model reads. */
  readonly text: string;
  /** Names of the tolerances used. */
  readonly tolerance: readonly string[];
  readonly change: TextChange | null;
}

/** One call over a map of files, from what arrived to the bytes: decode, validate, plan, encode. Nothing of the app. */
export async function runReplaceCall(files: Files, call: ReplaceCall): Promise<ReplaceReply> {
  switch (call.tool) {
    case "edit":
      return withRequest(editTool, call, (request) => edit(files, request));
    case "write":
      return withRequest(writeTool, call, (request) => write(files, request));
    case "delete":
      return withRequest(deleteTool, call, ({ path }) => {
        const found = cleaned(path);
        if (!found.ok || !files.has(found.value)) return refused(missing(files, path));
        files.delete(found.value);
        return { applied: true, text: sayDeleted(path), tolerance: [], change: null };
      });
  }
}

async function withRequest<R>(
  tool: Tool<R>,
  call: Arrived,
  run: (request: R) => ReplaceReply | Promise<ReplaceReply>,
): Promise<ReplaceReply> {
  const decoded = tool.decode(call);
  if (decoded.kind === "refused") return refused(decoded.text);
  const request = tool.validate(decoded.args);
  return request.ok ? run(request.value) : refused(request.problem.text);
}

async function edit(files: Files, request: EditRequest): Promise<ReplaceReply> {
  if (request.refused !== null) return refused(explanationText(request.refused));
  const body = await read(files, request.path);
  if (!body.ok) return refused(sayFile(body.problem));
  const source = SourceText.of(body.value.text);
  const planned =
    request.kind === "single"
      ? planReplace(source, request.replacement)
      : planBatch(source, request.entries);
  if (!planned.ok) return refused(explanationText(explainReplace(planned.problem)));
  const { change } = planned.value;
  const sizes = put(files, request.path, body.value, change.after);
  if (!sizes.ok) return refused(sayFile(sizes.problem));
  const text = sayReplaced(planned.value, sizes.value);
  return { applied: true, text, tolerance: change.tolerance, change };
}

async function write(files: Files, request: WriteRequest): Promise<ReplaceReply> {
  const { path, content } = request;
  if (request.refused !== null) return refused(explanationText(request.refused));
  const found = cleaned(path);
  if (!found.ok) return refused(sayFile(found.problem));
  const body = files.has(found.value) ? await read(files, path) : null;
  if (body !== null && !body.ok) return refused(sayFile(body.problem));
  const planned = planWrite(body === null ? null : SourceText.of(body.value.text), content);
  if (!planned.ok) return refused(explanationText(explainReplace(planned.problem)));
  const plan = planned.value;
  const after = plan.kind === "create" ? plan.text : plan.change.after;
  const sizes = put(files, path, body === null ? null : body.value, after);
  if (!sizes.ok) return refused(sayFile(sizes.problem));
  return {
    applied: true,
    text: sayWritten(path, plan, sizes.value),
    tolerance: [],
    change: plan.kind === "create" ? null : plan.change,
  };
}

function put(files: Files, path: string, body: Decoded | null, after: string) {
  const key = posix.normalize(path);
  const bytes = body === null ? ok(new TextEncoder().encode(after)) : body.encode(after);
  const encoding = body?.encoding ?? "utf8";
  if (!bytes.ok)
    return fail({
      code: "not-encodable",
      path,
      encoding,
      codePoint: bytes.problem.codePoint,
    } as const);
  const bytesBefore = files.get(key)?.length ?? 0;
  files.set(key, bytes.value);
  return ok({ bytesBefore, bytesAfter: bytes.value.length, encoding });
}

async function read(files: Files, path: string): Promise<Result<Decoded, FileProblem>> {
  const found = cleaned(path);
  if (!found.ok) return found;
  const bytes = files.get(found.value);
  if (bytes !== undefined) return decodeFile(path, bytes, []);
  return fail({ code: "file-missing", path, similar: similar(files, found.value) });
}

function cleaned(path: string): Result<string, FileProblem> {
  const clean = posix.normalize(path);
  return clean.startsWith("..") || clean.startsWith("/")
    ? fail({ code: "path-outside", path, real: null })
    : ok(clean);
}

function missing(files: Files, path: string): string {
  return sayFile({ code: "file-missing", path, similar: similar(files, path) });
}

function similar(files: Files, path: string): readonly string[] {
  const names = [...files.keys()]
    .filter((other) => posix.dirname(other) === posix.dirname(path))
    .map((other) => posix.basename(other));
  return similarNames(posix.basename(path), names);
}

function sayFile(problem: FileProblem): string {
  return explanationText(explainReplacedFile(problem));
}

function refused(text: string): ReplaceReply {
  return { applied: false, text, tolerance: [], change: null };
}

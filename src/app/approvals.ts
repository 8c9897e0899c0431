import { contentHash } from "./contentHash.ts";
import type { CallRecord, FileRecord } from "./record.ts";

export type Decision = "approve" | "deny";
export type Answer = "approved" | "denied" | "unanswered";

/** What a person is asked: the planned diffs of some files of one call. */
export interface Question {
  readonly callId: string;
  readonly session: string;
  readonly tool: string;
  /** SHA-256 in hex of the diffs a person is shown. An answer that carries another one is not for this plan. */
  readonly hash: string;
  readonly files: readonly QuestionFile[];
}

export interface QuestionFile {
  /** The key of the file's card. */
  readonly key: string;
  readonly path: string;
  /** Unified server diff of the plan. */
  readonly proposed: string;
  readonly answer: Answer;
}

/** `stale`: the plan is another one by now. `closed`: nobody waits for this answer. */
export type AnswerReply = "taken" | "stale" | "closed";

export interface Approvals {
  /**
   * Opens a question and waits until every file is answered. An interruption, the time limit and `dispose` leave
   * files unanswered; a file whose plan is not there is never asked about and stays unanswered. No question is opened
   * for the plan whose hash is `approvedPlan`.
   */
  ask(
    call: CallRecord,
    files: readonly number[],
    signal: AbortSignal,
    approvedPlan?: string,
  ): Promise<readonly Answer[]>;
  /** `hash` is the question's, as it was shown to whoever answers. An answer once given stays. */
  answer(callId: string, fileKey: string, decision: Decision, hash: string): AnswerReply;
  answerAll(callId: string, decision: Decision, hash: string): AnswerReply;
  /** Further changes of the same kind of the same file, by any tool of this session, are approved without a question. */
  allowForSession(call: CallRecord, index: number): void;
  open(): readonly Question[];
  /** Told after a question was opened, answered or closed. Gives back the way to stop. */
  onChange(listener: () => void): () => void;
  dispose(): void;
}

export interface ApprovalOptions {
  /** A question is given up after this long; null: it waits until it is answered or the call is stopped. */
  readonly waitMsMax: number | null;
  /** Runs `then` after `ms`; gives back the way to call it off. */
  readonly after: (ms: number, then: () => void) => () => void;
}

interface OpenQuestion {
  readonly question: Question;
  readonly answers: Map<string, Answer>;
  /** Ends the wait with what has been answered, or with nothing at all. */
  readonly close: (keepAnswers: boolean) => void;
}

/** The key of a file's card within its call. */
export function fileKey(call: CallRecord, index: number): string {
  return `${index}:${call.files[index]?.path ?? ""}`;
}

/** The hash of what is shown: what happens to which path and the planned diffs, in order. */
export function planHash(
  files: readonly Pick<FileRecord, "path" | "operation" | "movedFrom" | "proposed">[],
): Promise<string> {
  const shown = files.map(({ path, operation, movedFrom, proposed }) => [
    operation,
    movedFrom ?? null,
    path,
    proposed ?? null,
  ]);
  return contentHash(JSON.stringify(shown));
}

/** The hash of the question about these files of a call; a file without a plan is not asked about. */
export function questionHash(call: CallRecord, files: readonly number[]): Promise<string> {
  return planHash(files.flatMap((index) => call.files[index] ?? []).filter(hasPlan));
}

function hasPlan({ proposed }: FileRecord): boolean {
  return proposed !== undefined;
}

export function createApprovals(options: ApprovalOptions): Approvals {
  const desk: Desk = {
    questions: new Map(),
    listeners: new Set(),
    allowed: new Set(),
    disposed: false,
  };
  return {
    ask: (call, files, signal, approvedPlan) =>
      ask(desk, options, { call, files, approvedPlan }, signal),
    answer: (callId, key, decision, hash) => take(desk, callId, hash, decision, key),
    answerAll: (callId, decision, hash) => take(desk, callId, hash, decision, null),
    allowForSession(call, index) {
      const file = call.files[index];
      if (file !== undefined) desk.allowed.add(sessionFile(call, file));
    },
    open: () => [...desk.questions.values()].map(present),
    onChange(listener) {
      desk.listeners.add(listener);
      return () => desk.listeners.delete(listener);
    },
    dispose() {
      desk.disposed = true;
      for (const { close } of [...desk.questions.values()]) close(false);
      tell(desk);
      desk.listeners.clear();
    },
  };
}

/** The questions that wait, and what was allowed without one. */
interface Desk {
  readonly questions: Map<string, OpenQuestion>;
  readonly listeners: Set<() => void>;
  readonly allowed: Set<string>;
  disposed: boolean;
}

function tell({ listeners }: Desk): void {
  for (const listener of [...listeners]) listener();
}

interface Asked {
  readonly call: CallRecord;
  readonly files: readonly number[];
  readonly approvedPlan: string | undefined;
}

async function ask(
  desk: Desk,
  options: ApprovalOptions,
  { call, files, approvedPlan }: Asked,
  signal: AbortSignal,
): Promise<readonly Answer[]> {
  const nothing = files.map((): Answer => "unanswered");
  const hash = await questionHash(call, files);
  const asked = files.flatMap((index): readonly QuestionFile[] => {
    const file = call.files[index];
    if (file?.proposed === undefined) return [];
    const known = desk.allowed.has(sessionFile(call, file)) || hash === approvedPlan;
    const answer = known ? "approved" : "unanswered";
    return [{ key: fileKey(call, index), path: file.path, proposed: file.proposed, answer }];
  });
  // One question for each call: a second one while the first waits could be answered for the wrong plan.
  if (signal.aborted || desk.disposed || desk.questions.has(call.id)) return nothing;
  const answers = new Map(asked.map(({ key, answer }) => [key, answer]));
  if (waits(answers)) {
    const { id: callId, session, tool } = call;
    const question: Question = { callId, session, tool, hash, files: asked };
    if (!(await answered(desk, options, { question, answers }, signal))) return nothing;
  }
  return files.map((index) => answers.get(fileKey(call, index)) ?? "unanswered");
}

function waits(answers: ReadonlyMap<string, Answer>): boolean {
  return [...answers.values()].includes("unanswered");
}

/** Waits for the end of a question: true when what was answered counts, false when nothing does. */
function answered(
  desk: Desk,
  { waitMsMax, after }: ApprovalOptions,
  { question, answers }: Pick<OpenQuestion, "question" | "answers">,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const close = (keepAnswers: boolean): void => {
      signal.removeEventListener("abort", interrupted);
      stopClock();
      desk.questions.delete(question.callId);
      resolve(keepAnswers);
    };
    const interrupted = (): void => {
      close(false);
      tell(desk);
    };
    // What was answered in time was answered; the rest is no answer yet.
    const expired = (): void => {
      close(true);
      tell(desk);
    };
    const stopClock = waitMsMax === null ? (): void => undefined : after(waitMsMax, expired);
    signal.addEventListener("abort", interrupted);
    desk.questions.set(question.callId, { question, answers, close });
    tell(desk);
  });
}

/** `key` null: every file of the question that still waits. */
function take(
  desk: Desk,
  callId: string,
  hash: string,
  decision: Decision,
  key: string | null,
): AnswerReply {
  const open = desk.questions.get(callId);
  if (open === undefined) return "closed";
  if (open.question.hash !== hash) return "stale";
  const keys = key === null ? [...open.answers.keys()] : [key];
  const waiting = keys.filter((one) => open.answers.get(one) === "unanswered");
  if (waiting.length === 0) return "closed";
  for (const one of waiting) open.answers.set(one, decision === "approve" ? "approved" : "denied");
  if (!waits(open.answers)) open.close(true);
  tell(desk);
  return "taken";
}

function present({ question, answers }: OpenQuestion): Question {
  const files = question.files.map((file) => ({
    ...file,
    answer: answers.get(file.key) ?? file.answer,
  }));
  return { ...question, files };
}

/** Who may change a file may not delete it yet. */
function sessionFile({ session }: CallRecord, file: FileRecord): string {
  return JSON.stringify([session, file.operation, file.absolute ?? file.path]);
}

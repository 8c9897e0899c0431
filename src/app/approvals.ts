import { contentHash } from "./contentHash.ts";
import type { CallRecord } from "./record.ts";

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
   * files unanswered; a file whose plan is not there is never asked about and stays unanswered.
   */
  ask(call: CallRecord, files: readonly number[], signal: AbortSignal): Promise<readonly Answer[]>;
  /** `hash` is the question's, as it was shown to whoever answers. An answer once given stays. */
  answer(callId: string, fileKey: string, decision: Decision, hash: string): AnswerReply;
  answerAll(callId: string, decision: Decision, hash: string): AnswerReply;
  /** Further plans for the same file, from any editing tool of this session, are approved without a question. */
  allowForSession(session: string, shown: string): void;
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

/** The hash of what is shown: paths and planned diffs, in order. */
export function planHash(
  files: readonly { readonly path: string; readonly proposed: string }[],
): Promise<string> {
  return contentHash(JSON.stringify(files.map(({ path, proposed }) => [path, proposed])));
}

export function createApprovals({ waitMsMax, after }: ApprovalOptions): Approvals {
  const questions = new Map<string, OpenQuestion>();
  const listeners = new Set<() => void>();
  const allowed = new Set<string>();
  let disposed = false;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const take = (
    callId: string,
    hash: string,
    keys: (open: OpenQuestion) => readonly string[],
    decision: Decision,
  ): AnswerReply => {
    const open = questions.get(callId);
    if (open === undefined) return "closed";
    if (open.question.hash !== hash) return "stale";
    const waiting = keys(open).filter((key) => open.answers.get(key) === "unanswered");
    if (waiting.length === 0) return "closed";
    for (const key of waiting)
      open.answers.set(key, decision === "approve" ? "approved" : "denied");
    if (![...open.answers.values()].includes("unanswered")) open.close(true);
    tell();
    return "taken";
  };
  return {
    async ask(call, files, signal) {
      const nothing = files.map((): Answer => "unanswered");
      const asked = files.flatMap((index): readonly QuestionFile[] => {
        const file = call.files[index];
        if (file?.proposed === undefined) return [];
        const known = allowed.has(sessionFile(call.session, file.shown));
        const answer = known ? "approved" : "unanswered";
        return [{ key: fileKey(call, index), path: file.path, proposed: file.proposed, answer }];
      });
      const hash = await planHash(asked);
      // One question for each call: a second one while the first waits could be answered for the wrong plan.
      if (signal.aborted || disposed || questions.has(call.id)) return nothing;
      const answers = new Map(asked.map(({ key, answer }) => [key, answer]));
      const told = files.map((index): string => fileKey(call, index));
      if ([...answers.values()].includes("unanswered")) {
        const question: Question = {
          callId: call.id,
          session: call.session,
          tool: call.tool,
          hash,
          files: asked,
        };
        if (!(await waitFor(question, answers, signal))) return nothing;
      }
      return told.map((key) => answers.get(key) ?? "unanswered");
    },
    answer: (callId, key, decision, hash) => take(callId, hash, () => [key], decision),
    answerAll: (callId, decision, hash) =>
      take(callId, hash, ({ answers }) => [...answers.keys()], decision),
    allowForSession(session, shown) {
      allowed.add(sessionFile(session, shown));
    },
    open: () =>
      [...questions.values()].map(({ question, answers }) => ({
        ...question,
        files: question.files.map((file) => ({
          ...file,
          answer: answers.get(file.key) ?? file.answer,
        })),
      })),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose() {
      disposed = true;
      for (const { close } of [...questions.values()]) close(false);
      tell();
      listeners.clear();
    },
  };

  /** True when what was answered counts; false when nothing does. */
  function waitFor(
    question: Question,
    answers: Map<string, Answer>,
    signal: AbortSignal,
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const close = (keepAnswers: boolean): void => {
        signal.removeEventListener("abort", interrupted);
        stopClock();
        questions.delete(question.callId);
        resolve(keepAnswers);
      };
      const interrupted = (): void => {
        close(false);
        tell();
      };
      // What was answered in time was answered; the rest is no answer yet.
      const expired = (): void => {
        close(true);
        tell();
      };
      const stopClock = waitMsMax === null ? (): void => undefined : after(waitMsMax, expired);
      signal.addEventListener("abort", interrupted);
      questions.set(question.callId, { question, answers, close });
      tell();
    });
  }
}

function sessionFile(session: string, shown: string): string {
  return `${session}\n${shown}`;
}

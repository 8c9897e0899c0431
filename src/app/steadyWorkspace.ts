import { fail, type Result } from "../base/result.ts";
import type { FileProblem } from "../engine/index.ts";
import type { FileRef, Ports, Workspace, WriteReply } from "./ports.ts";

/**
 * A workspace of which no promise is rejected: what a port throws is our bug, goes to the log, and becomes the answer
 * that the port has for a failure. So whoever writes several things goes on to look at what each of them left. A
 * read-back that fails is asked once more, because on it hangs whether a step that is half done can go back.
 */
export function steadyWorkspace({
  workspace,
  logBug,
}: Pick<Ports, "workspace" | "logBug">): Workspace {
  const answered = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      logBug(error);
      return otherwise;
    }
  };
  const failure = (path: string): Result<never, FileProblem> => fail({ code: "internal", path });
  const failed = ({ asked }: FileRef): WriteReply => ({
    kind: "failed",
    problem: { code: "internal", path: asked },
  });
  const readBack: Workspace["readBack"] = (file) =>
    answered(
      () => workspace.readBack(file),
      fail({ code: "read-back-failed", path: file.asked, cause: "an internal error" }),
    );
  return {
    trusted: () => workspace.trusted(),
    locate: (path, use, relative) =>
      answered(() => workspace.locate(path, use, relative), failure(path)),
    look: (file) => answered(() => workspace.look(file), failure(file.asked)),
    update: (base, change, signal) =>
      answered(() => workspace.update(base, change, signal), failed(base.file)),
    create: (file, bytes, mode, label) =>
      answered(() => workspace.create(file, bytes, mode, label), failed(file)),
    remove: (base, label) => answered(() => workspace.remove(base, label), failed(base.file)),
    rename: (base, target, label) =>
      answered(() => workspace.rename(base, target, label), failed(target)),
    readBack: async (file) => {
      const seen = await readBack(file);
      return seen.ok ? seen : readBack(file);
    },
  };
}

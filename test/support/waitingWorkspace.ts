import { at } from "../../src/base/assert.ts";
import type { Workspace } from "../../src/app/ports.ts";

/**
 * The same workspace for somebody who answers slowly: each step first gives way as often as the next of `waits` says,
 * over and over. So two that work at once meet at other steps in each test, and always at the same ones in one.
 */
export function waitingWorkspace(workspace: Workspace, waits: readonly number[]): Workspace {
  let step = 0;
  const later =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      for (let n = at(waits, step++ % waits.length); n > 0; n--) await Promise.resolve();
      return work(...args);
    };
  return {
    trusted: () => workspace.trusted(),
    locate: later((...args) => workspace.locate(...args)),
    look: later((...args) => workspace.look(...args)),
    update: later((...args) => workspace.update(...args)),
    create: later((...args) => workspace.create(...args)),
    remove: later((...args) => workspace.remove(...args)),
    rename: later((...args) => workspace.rename(...args)),
    readBack: later((...args) => workspace.readBack(...args)),
  };
}

// An extension of its own, loaded beside ours: hands over one call after another until its extension host is killed.
// The stage in `../killedHost.ts` reads what this writes down, and says where to go on by making the file `go`.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import type { AgentEditReviewApi } from "../../../src/extension.ts";
import { waitFor } from "../wait.ts";
import { killedCall, type DriverStep, type KilledPlan } from "./plan.ts";

export function activate(): void {
  const text = process.env["KILLED_PLAN"];
  if (text === undefined) throw new Error("KILLED_PLAN is not set");
  const plan = JSON.parse(text) as KilledPlan;
  const log = (step: DriverStep): void =>
    appendFileSync(plan.progress, `${JSON.stringify(step)}\n`);
  drive(plan, log).catch((error: unknown) => log({ kind: "failed", error: String(error) }));
}

async function drive(plan: KilledPlan, log: (step: DriverStep) => void): Promise<void> {
  const ours = vscode.extensions.all.find(({ id }) => id.endsWith(".agent-edit-review"));
  if (ours === undefined) throw new Error("the extension under test is not loaded");
  const { execute } = (await ours.activate()) as AgentEditReviewApi;
  // Opens the store, which finds the calls that a killed host left, and shows their cards.
  await vscode.commands.executeCommand("agentEditReview.openPanel");
  log({ kind: "started", pid: process.pid });
  const first = await waitFor("the word to go on", 60_000, () => goFrom(plan), 10);
  // Drawing 200 calls takes longer than applying them.
  await vscode.commands.executeCommand("workbench.action.closeSidebar");
  for (let n = first; n < plan.calls; n++) {
    const { tool, call } = killedCall(plan, n);
    for (const [name, text] of Object.entries(call.before)) {
      const file = join(plan.folder, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    log({ kind: "begun", call: n });
    const session = `killed-${n}`;
    const { callId, structured, text } = await execute({ tool, input: call.input, session });
    log({ kind: "ended", call: n, id: callId, status: structured.status, text });
  }
  log({ kind: "finished" });
}

/** The number of the call to begin with, once the file is there. */
function goFrom({ go }: KilledPlan): number | undefined {
  if (!existsSync(go)) return undefined;
  const first = Number(readFileSync(go, "utf8"));
  rmSync(go);
  return first;
}

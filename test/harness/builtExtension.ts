import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { linkExtension, type Session } from "./paths.ts";

/** Builds an extension out of one source file and puts it where the session's editor looks for installed ones. It
 *  starts with the window. */
export async function addExtension(session: Session, name: string, entry: string): Promise<void> {
  const folder = join(session.userDataDir, name);
  mkdirSync(folder);
  const manifest = {
    name,
    publisher: "test",
    version: "0.0.1",
    engines: { vscode: "^1.106.0" },
    main: "./main.cjs",
    activationEvents: ["onStartupFinished"],
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  await build({
    entryPoints: [entry],
    outfile: join(folder, "main.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    logLevel: "warning",
  });
  linkExtension(session, folder);
}

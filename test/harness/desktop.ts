import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** The executable of an installed desktop VS Code, or nothing. VSCODE_PATH overrules the search.
 *  Nothing is ever downloaded: a machine without VS Code uses the one that npm has. */
export function findDesktop(): string | undefined {
  const wanted = process.env["VSCODE_PATH"];
  if (wanted !== undefined && wanted !== "") {
    if (!existsSync(wanted)) throw new Error(`VSCODE_PATH names no file: ${wanted}`);
    return wanted;
  }
  if (!hasDisplay()) return undefined;
  return [...besideCommand(), ...usualPlaces()].find((file) => existsSync(file));
}

export function hasDisplay(): boolean {
  if (process.platform !== "linux") return true;
  return Boolean(process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]);
}

/** `code` on the path is a script that starts the editor and returns at once, so its exit code says
 *  nothing. The editor itself lies at a known place beside it. In a remote terminal `code` is
 *  another program, and there is nothing at these places. */
function besideCommand(): readonly string[] {
  const name = process.platform === "win32" ? "code.cmd" : "code";
  const dirs = (process.env["PATH"] ?? "").split(delimiter).filter((dir) => dir !== "");
  const scripts = dirs.map((dir) => join(dir, name)).filter((file) => existsSync(file));
  return scripts.flatMap((script) => {
    const bin = dirname(realpathSync(script));
    if (process.platform === "win32") return [join(bin, "..", "Code.exe")];
    if (process.platform === "linux") return [join(bin, "..", "code")];
    return macExecutables(join(bin, "..", "..", "..")); // Contents/Resources/app/bin → Contents
  });
}

function usualPlaces(): readonly string[] {
  if (process.platform === "win32") {
    const roots = [
      [process.env["LOCALAPPDATA"], "Programs"],
      [process.env["PROGRAMFILES"], "."],
    ] as const;
    return roots.flatMap(([root, sub]) =>
      root === undefined ? [] : [join(root, sub, "Microsoft VS Code", "Code.exe")],
    );
  }
  if (process.platform === "darwin") {
    const roots = ["/Applications", join(process.env["HOME"] ?? "", "Applications")];
    return roots.flatMap((root) =>
      macExecutables(join(root, "Visual Studio Code.app", "Contents")),
    );
  }
  return [
    "/usr/share/code/code",
    "/opt/visual-studio-code/code",
    "/snap/code/current/usr/share/code/code",
  ];
}

/** The name was changed from one to the other. */
function macExecutables(contents: string): readonly string[] {
  return ["Code", "Electron"].map((name) => join(contents, "MacOS", name));
}

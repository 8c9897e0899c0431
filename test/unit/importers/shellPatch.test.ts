import { expect, test } from "vitest";
import { shellPatch } from "../../../src/app/importers/shellPatch.ts";

const PATCH = "*** Begin Patch\n*** Update File: a\n@@\n-it's\n+$HOME\n*** End Patch";

test("every way in which a shell is asked to run apply_patch", () => {
  const heredoc = `apply_patch <<'EOF'\n${PATCH}\nEOF`;
  for (const command of [
    ["apply_patch", PATCH],
    ["/usr/bin/apply_patch", PATCH],
    ["bash", "-lc", heredoc],
    ["zsh", "-c", `${heredoc}\n`],
    heredoc,
    `applypatch <<"PATCH"\n${PATCH}\nPATCH\n`,
    `apply_patch <<EOF\n${PATCH}\nEOF`,
    `apply_patch <<'EOF'\r\n${PATCH}\nEOF\r\n`,
    `apply_patch '${PATCH.replaceAll("'", "'\\''")}'`,
  ])
    expect(shellPatch(command)).toEqual({ patch: PATCH });
});

test("a folder that the script changes to first", () => {
  for (const cd of ["cd web/app", "cd 'web/app'", 'cd "web/app"'])
    expect(shellPatch(`${cd} && apply_patch <<'EOF'\n${PATCH}\nEOF\n`)).toEqual({
      patch: PATCH,
      folder: "web/app",
    });
});

test("anything else is no patch", () => {
  for (const command of [
    "ls",
    "echo apply_patch <<'EOF'\nx\nEOF",
    `apply_patch <<'EOF'\n${PATCH}`,
    `apply_patch "${PATCH}"`,
    "apply_patch 'a' 'b'",
    ["apply_patch"],
    ["apply_patch", PATCH, "more"],
    ["python", "-c", "apply_patch <<'EOF'\nx\nEOF"],
    ["bash", "-lc"],
    [1, 2],
    null,
    {},
  ])
    expect(shellPatch(command)).toBeNull();
});

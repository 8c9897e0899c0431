/** The file that `WAYS` write, but for the one that adds. */
export const PATH = "/ws/a.txt";

export interface Sent {
  readonly old: string;
  readonly now: string;
}

/** Every way in which a text reaches a file. */
export const WAYS: Readonly<Record<string, (sent: Sent) => readonly [string, unknown]>> = {
  edit_files: ({ old, now }) => [
    "edit_files",
    { edits: [{ path: PATH, old_text: old, new_text: now }] },
  ],
  edit: ({ old, now }) => ["edit", { path: PATH, old_string: old, new_string: now }],
  "edit batch": ({ old, now }) => [
    "edit",
    { path: PATH, edits: [{ old_string: old, new_string: now }] },
  ],
  write: ({ now }) => ["write", { path: PATH, content: now }],
  "apply_patch update": ({ old, now }) => [
    "apply_patch",
    { patch: `*** Begin Patch\n*** Update File: a.txt\n@@\n-${old}\n+${now}\n*** End Patch` },
  ],
  "apply_patch add": ({ now }) => [
    "apply_patch",
    { patch: `*** Begin Patch\n*** Add File: b.txt\n+${now}\n*** End Patch` },
  ],
};

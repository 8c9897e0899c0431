/** What only a model can follow: nothing of an undo was sent, and its reader is the user. */
export const FOR_A_MODEL =
  /\b(?:re-?)?(?:send|sent|read (?:it|the file))\b|\bedits\b|\bthe user\b/i;

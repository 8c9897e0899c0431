/** Commands whose work is in the host. Each is loaded with it, at its first use. */
export const HOST_COMMANDS = [
  "runSampleCall",
  "cancelRunningCalls",
  "undoLastCall",
  "replayStoredCall",
  "replayFromClipboard",
  "replayFromFile",
  "importTranscript",
  "exportCalls",
] as const;

export type HostCommand = (typeof HOST_COMMANDS)[number];

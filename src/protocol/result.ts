import * as z from "zod";

/** The structured result of one call (SPEC section 14), as API users, MCP clients and `--json` get it. */
export const FileResult = z.object({
  path: z.string(),
  status: z.enum(["applied", "rejected", "already_applied", "unknown"]),
  operation: z.enum(["add", "update", "move", "delete"]),
  edits: z.array(z.int()).optional(),
  operations: z.array(z.string()).optional(),
  diff: z.string().optional(),
  error: z.string().optional(),
  note: z.string().optional(),
  movedFrom: z.string().optional(),
  unsaved: z.boolean().optional(),
  encoding: z.string().optional(),
  tolerance: z.array(z.string()).optional(),
});

export const StructuredResult = z.object({
  status: z.enum(["applied", "partial", "error"]),
  message: z.string(),
  files: z.array(FileResult),
});

export type FileResult = z.infer<typeof FileResult>;
export type StructuredResult = z.infer<typeof StructuredResult>;

import { applyPatchTool } from "./applyPatch.ts";
import { deleteTool } from "./deleteFile.ts";
import { editTool } from "./edit.ts";
import { editFilesTool } from "./editFiles.ts";
import type { Tool } from "./tool.ts";
import { writeTool } from "./write.ts";

/** Every tool under its formal name, in the order people read them. */
export const TOOLS: readonly Tool<unknown>[] = [
  editFilesTool,
  applyPatchTool,
  editTool,
  writeTool,
  deleteTool,
];

import type { Handler } from "../handler.ts";
import { applyPatchHandler } from "./applyPatch.ts";
import { deleteHandler } from "./deleteFile.ts";
import { editHandler } from "./edit.ts";
import { editFilesHandler } from "./editFiles.ts";
import { writeHandler } from "./write.ts";

/** One handler for each tool of the catalogue. */
export const HANDLERS: readonly Handler[] = [
  editFilesHandler,
  applyPatchHandler,
  editHandler,
  writeHandler,
  deleteHandler,
];

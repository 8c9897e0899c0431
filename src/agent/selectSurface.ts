/** Three-state settings of `compat.apply_patch`: what is left out is inferred from the model's name. */
export interface PatchCompat {
  readonly enabled?: boolean;
  readonly freeform?: boolean;
}

export interface SurfaceCompat {
  readonly provider?: PatchCompat;
  /** Goes before the provider's. */
  readonly model?: PatchCompat;
  /** The edit tool of models that are not patch-native. */
  readonly editTool: "edit_files" | "edit";
  /** The wire the provider speaks. Only Responses has tools without a JSON schema. */
  readonly wire: "responses" | "chat" | "other";
}

export interface Surface {
  /** Names of the tools to offer, in the order models read them. */
  readonly tools: readonly string[];
  /** `apply_patch` goes out as a custom tool with a grammar instead of a JSON function. */
  readonly freeform: boolean;
}

/**
 * Chooses the edit tools of one model. `model` is the primary model of a pool, so that the surface stays while a
 * fallback answers. `offered` tells which tools the permission rules leave (toolOffered).
 */
export function selectSurface(
  model: string,
  compat: SurfaceCompat,
  offered: (tool: string) => boolean,
): Surface {
  const native = isPatchNative(model);
  const patchFirst = compat.model?.enabled ?? compat.provider?.enabled ?? native;
  const patch = offered("apply_patch");
  const edit = editTool(compat.editTool, offered);
  const whole = ["write", "delete"].filter(offered);
  const freeform =
    compat.wire === "responses" && (compat.model?.freeform ?? compat.provider?.freeform ?? native);
  // The envelope creates and deletes files by itself; a second way would only invite mixed calls.
  if (patch && patchFirst) return { tools: ["apply_patch"], freeform };
  if (edit !== null) return { tools: [edit, ...whole], freeform: false };
  if (patch) return { tools: ["apply_patch", ...whole], freeform };
  return { tools: whole, freeform: false };
}

/** `gpt-5` and later majors, and `codex-auto-review`; provider prefix and `@date` suffix do not count. */
export function isPatchNative(model: string): boolean {
  const name = (model.split("/").at(-1) ?? "").split("@", 1)[0]?.trim().toLowerCase() ?? "";
  if (name === "codex-auto-review") return true;
  const major = /^gpt-(\d+)(?:$|[.-])/.exec(name)?.[1];
  return major !== undefined && 5 <= Number(major);
}

function editTool(
  wanted: "edit_files" | "edit",
  offered: (tool: string) => boolean,
): string | null {
  const other = wanted === "edit" ? "edit_files" : "edit";
  return [wanted, other].find(offered) ?? null;
}

/** What a model reads when it calls a tool of the catalogue that its surface does not hold. */
export function hiddenToolText(tool: string, { tools }: Surface): string {
  const instead = tools[0];
  return (
    `tool "${tool}" is not available for the current model.` +
    (instead === undefined ? " No edit tool is allowed here." : ` Use "${instead}" instead.`)
  );
}

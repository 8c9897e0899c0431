/**
 * Finds the elements of rows. A row that is asked for before it is drawn (the list draws what is in sight only) is
 * served as soon as it appears.
 */
export interface RowFocus {
  /** Called by each row when its focus target comes and goes. */
  attach(key: string, target: HTMLElement | null): void;
  /** Brings a row into sight, and the focus to it if asked. */
  show(key: string, how: ShowHow): void;
  elementOf(key: string): HTMLElement | undefined;
}

export interface ShowHow {
  readonly takeFocus: boolean;
  /** `start`: at the top of the list, lit up for a moment; `nearest`: scrolled no more than needed. */
  readonly block: "start" | "nearest";
}

export function createRowFocus(): RowFocus {
  const targets = new Map<string, HTMLElement>();
  let wanted: { readonly key: string; readonly how: ShowHow } | null = null;
  return {
    elementOf: (key) => targets.get(key),
    attach(key, target) {
      if (target === null) {
        targets.delete(key);
        return;
      }
      targets.set(key, target);
      if (wanted?.key !== key) return;
      const { how } = wanted;
      wanted = null;
      showNow(target, how);
    },
    show(key, how) {
      const target = targets.get(key);
      wanted = target === undefined ? { key, how } : null;
      if (target !== undefined) showNow(target, how);
    },
  };
}

function showNow(target: HTMLElement, { takeFocus, block }: ShowHow): void {
  const row = target.closest<HTMLElement>("[data-row]") ?? target;
  if (takeFocus) target.focus({ preventScroll: true });
  row.scrollIntoView({ block });
  if (block === "start") lightUp(row);
  stay(row, SETTLING_FRAMES_MAX, NaN);
}

const SETTLING_FRAMES_MAX = 12;

/** Rows around get their true heights only once they are drawn, which may move this one away again. */
function stay(row: HTMLElement, framesLeft: number, topBefore: number): void {
  if (framesLeft === 0 || !row.isConnected) return;
  requestAnimationFrame(() => {
    const { top } = row.getBoundingClientRect();
    if (top === topBefore && framesLeft < SETTLING_FRAMES_MAX - 2) return;
    row.scrollIntoView({ block: "nearest" });
    stay(row, framesLeft - 1, row.getBoundingClientRect().top);
  });
}

function lightUp(row: HTMLElement): void {
  row.classList.add("lit");
  row.addEventListener("animationend", () => row.classList.remove("lit"), { once: true });
}

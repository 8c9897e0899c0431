import { useEffect, useRef, useState, type ReactNode } from "react";

export interface LazyChunkProps {
  /** How many lines it holds, for its height until it was drawn once. */
  readonly lines: number;
  /** Always drawn, since it holds the focus. */
  readonly pinned: boolean;
  readonly children: () => ReactNode;
}

/** Part of a long diff: drawn while it is near what is in sight, else a blank of its height. */
export function LazyChunk({ lines, pinned, children }: LazyChunkProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const height = useRef<number | null>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    return watch(element, (isNear, pixels) => {
      const wasDrawn = !element.classList.contains("blank");
      if (!isNear && wasDrawn) height.current = pixels;
      setNear(isNear);
    });
  }, []);
  const drawn = near || pinned;
  const blank = {
    "--lines": String(lines),
    ...(height.current === null ? {} : pixels(height.current)),
  };
  return (
    <div ref={box} className={drawn ? "chunk" : "chunk blank"} style={drawn ? {} : blank}>
      {drawn && children()}
    </div>
  );
}

function pixels(height: number): { readonly height: string } {
  return { height: `${height}px` };
}

type Told = (isNear: boolean, height: number) => void;

const told = new WeakMap<Element, Told>();
const observers = new WeakMap<Element, IntersectionObserver>();

/** One observer a list, for all its chunks: a 20,000-line diff has hundreds. */
function watch(element: Element, tell: Told): () => void {
  const root = element.closest(".scroller") ?? document.documentElement;
  const observer = observers.get(root) ?? observe(root);
  told.set(element, tell);
  observer.observe(element);
  return () => {
    observer.unobserve(element);
    told.delete(element);
  };
}

function observe(root: Element): IntersectionObserver {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries)
        told.get(target)?.(isIntersecting, boundingClientRect.height);
    },
    // Half a screen ahead on either side, so that a turn of the wheel meets lines and no blanks.
    { root, rootMargin: "500px 0px" },
  );
  observers.set(root, observer);
  return observer;
}

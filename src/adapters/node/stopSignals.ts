/** What ends a program on purpose: Ctrl+C, a service that stops, a terminal that closes. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * The first of them stops the work in order: the file under way is finished, so no draft is left beside it, and the
 * result says what was not done. A second one ends the process at once.
 */
export function onStopSignal(stop: () => void): void {
  for (const signal of STOP_SIGNALS) process.once(signal, stop);
}

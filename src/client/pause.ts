/**
 * Returns the pause before the next connection. It doubles with each consecutive failure up to the maximum. Half of it
 * is random.
 */
export function pauseMs(failures: number, { firstMs = 500, mostMs = 30_000 }: Pauses = {}): number {
  const longest = Math.min(mostMs, firstMs * 2 ** failures);
  // All consumers lose a restarted server at the same moment. The random half spreads their return.
  return longest * (0.5 + Math.random() / 2);
}

type Pauses = { readonly firstMs?: number; readonly mostMs?: number };

/** Waits for a time, or until the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

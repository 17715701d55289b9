/** What was received and not taken yet, for one taker. */
export type Inbox<Item> = {
  put(item: Item): void;
  full(): boolean;
  /** The oldest item; null when it is empty and nothing will follow, or the signal aborts. Rejects when it broke. */
  take(signal: AbortSignal): Promise<Item | null>;
  /** Waits until half of it is free. */
  roomy(signal: AbortSignal): Promise<void>;
  /** No item will follow. */
  end(): void;
  /** No item will follow, and the taker gets the error after the last one. */
  break(error: Error): void;
};

export function createInbox<Item>(max: number): Inbox<Item> {
  const items: Item[] = [];
  let atEnd: (() => Promise<null>) | null = null;
  const arrival = createBell();
  const room = createBell();
  const close = (last: () => Promise<null>): void => {
    atEnd ??= last;
    arrival.ring();
  };
  return {
    put: (item) => {
      items.push(item);
      arrival.ring();
    },
    full: () => items.length >= max,
    take: async (signal) => {
      while (!signal.aborted) {
        const item = items.shift();
        if (items.length <= max / 2) room.ring();
        if (item !== undefined) return item;
        if (atEnd) return atEnd();
        await arrival.rung(signal);
      }
      return null;
    },
    roomy: async (signal) => {
      while (!signal.aborted && items.length > max / 2) await room.rung(signal);
    },
    end: () => close(() => Promise.resolve(null)),
    break: (error) => close(() => Promise.reject(error)),
  };
}

/** Wakes the one who waits for it. */
type Bell = { ring(): void; rung(signal: AbortSignal): Promise<void> };

function createBell(): Bell {
  let wake: () => void = () => undefined;
  return {
    ring: () => wake(),
    rung: (signal) =>
      new Promise((resolve) => {
        const go = (): void => {
          signal.removeEventListener('abort', go);
          resolve();
        };
        wake = go;
        signal.addEventListener('abort', go);
      }),
  };
}

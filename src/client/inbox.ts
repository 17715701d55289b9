/** A buffer of received items for one consumer. */
export type Inbox<Item> = {
  put(item: Item): void;
  full(): boolean;
  /**
   * Returns the oldest item. Returns null when the buffer is empty and ended, or when the signal aborts. Rejects after
   * `break`.
   */
  take(signal: AbortSignal): Promise<Item | null>;
  /** Waits until half of the buffer is free. */
  waitForRoom(signal: AbortSignal): Promise<void>;
  /** Ends the buffer. No item will follow. */
  end(): void;
  /** Ends the buffer with an error. The consumer gets the error after the last item. */
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
    waitForRoom: async (signal) => {
      while (!signal.aborted && items.length > max / 2) await room.rung(signal);
    },
    end: () => close(() => Promise.resolve(null)),
    break: (error) => close(() => Promise.reject(error)),
  };
}

/** A signal that wakes one waiting caller. */
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

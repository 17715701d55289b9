/** A connection that is opened by its first user, and again after its end. */
export type Reopening<Connection> = {
  /** Returns the open connection, or opens one. Everybody who asks meanwhile gets the same connection. */
  get(): Promise<Connection>;
  /** Closes the connection, if there is one. */
  drop(): Promise<void>;
};

/** Creates a connection that `open` opens. Faults of `close` are ignored: the connection is lost anyway. */
export function reopening<Connection>(
  open: () => Promise<Connection>,
  close: (connection: Connection) => Promise<void>,
): Reopening<Connection> {
  let current: Promise<Connection> | null = null;
  return {
    get: () => {
      if (current) return current;
      const opening = open();
      current = opening;
      // The caller gets the error. The next caller tries again.
      opening.catch(() => {
        if (current === opening) current = null;
      });
      return opening;
    },
    drop: async () => {
      const dropped = current;
      current = null;
      await dropped?.then(close).catch(() => undefined);
    },
  };
}

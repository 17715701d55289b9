/** Runs a task after the earlier tasks of the same name, and at once with tasks of other names. */
export type Turns = (name: string, task: () => Promise<void>) => Promise<void>;

/**
 * Creates turns within this process. A task that throws lets the next task of its name go on. A name without a running task takes
 * no memory.
 */
export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return async (name, task) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(task, task);
    last.set(name, turn);
    try {
      await turn;
    } finally {
      if (last.get(name) === turn) last.delete(name);
    }
  };
}

/**
 * Runs work of a name. Resolves after the last run of the lane. Resolves at once if one more run follows the one under way.
 * Nobody waits for the work of another call.
 */
export type Lanes = (name: string, run: () => Promise<void>) => Promise<void>;

type Lane = { again: boolean };

/**
 * Creates lanes within this process. One run of a name is under way at a time. Calls during a run lead to one more run together:
 * the run may have begun before their news.
 */
export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>();
  const work = async (name: string, lane: Lane, run: () => Promise<void>): Promise<void> => {
    try {
      while (lane.again) {
        lane.again = false;
        await run();
      }
    } finally {
      lanes.delete(name);
    }
  };
  return (name, run) => {
    const known = lanes.get(name);
    if (known) {
      known.again = true;
      return Promise.resolve();
    }
    const lane: Lane = { again: true };
    lanes.set(name, lane);
    return work(name, lane, run);
  };
}

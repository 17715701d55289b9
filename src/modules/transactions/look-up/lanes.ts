/** Runs work of a name. Resolves after the last run that a call has led to. */
export type Lanes = (name: string, run: () => Promise<void>) => Promise<void>;

type Lane = { again: boolean; ended: Promise<void> };

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
      return known.ended;
    }
    const lane: Lane = { again: true, ended: Promise.resolve() };
    lanes.set(name, lane);
    lane.ended = work(name, lane, run);
    return lane.ended;
  };
}

import type { FeedLane, FeedTail } from '../../src/platform/feed-tail.ts';

export type Changed = FeedLane['changed'];

/** Creates a feed whose test announces new events. Counts its followers. */
export function createFeed(after: FeedLane['after'] = () => [], changed?: Changed) {
  let followers = 0;
  let fail: (fault: Error) => void = () => undefined;
  const lane: FeedLane = {
    after,
    changed:
      changed ??
      ((_sequence, signal) =>
        new Promise((resolve, reject) => {
          fail = reject;
          signal.addEventListener('abort', () => resolve(false));
        })),
    leave: () => void (followers -= 1),
  };
  const feedTail: FeedTail = {
    join: () => {
      followers += 1;
      return lane;
    },
    poke: () => undefined,
    stop: () => Promise.resolve(),
  };
  return { feedTail, followers: () => followers, fail: (fault: Error) => fail(fault) };
}

/** Waits until a condition holds. The time limit of the test ends a wait that is too long. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** The message that subscribes to the events of the merchant account. */
export const subscribe = (id: string, query = 'subscription { events { id } }') => ({
  id,
  type: 'subscribe',
  payload: { query },
});

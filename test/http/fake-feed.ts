import type { FeedLane, FeedTail } from '../../src/platform/feed/feed-tail.ts';

export { until } from '../support/until.ts';

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

/** The message that subscribes to the events of the merchant account. */
export const subscribe = (id: string, query = 'subscription { events { id } }') => ({
  id,
  type: 'subscribe',
  payload: { query },
});

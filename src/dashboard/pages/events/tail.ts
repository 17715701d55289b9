import { useEffect, useRef, useState } from 'react';
import { useLive } from '../../app/data/live.tsx';
import { useRead } from '../../app/data/read.ts';
import { readFeed, type Event, type Feed } from './query.ts';

/** The events of the feed, which grow at both ends: newer ones by the websocket, older ones by `more`. */
export type Tail = {
  /** Newest first. Null before the first answer. */
  readonly events: readonly Event[] | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly isPaused: boolean;
  /** The number of events that came during the pause. */
  readonly heldCount: number;
  readonly togglePause: () => void;
  readonly more: () => void;
  readonly reload: () => void;
};

/** The most events that the page keeps. The oldest go first, and `more` brings them back. */
const KEPT_MAX = 500;

/** Follows the feed. `type` is a name or a pattern such as `transaction.*`. Empty for every event. */
export function useTail(type: string): Tail {
  const before = useRef<string | null>(null);
  const [shown, setShown] = useState<Shown>({ type, feed: null });
  const [held, setHeld] = useState<readonly Event[] | null>(null);
  const read = useRead(type, async (signal) => {
    const cursor = before.current;
    before.current = null;
    return { type, isOlder: cursor !== null, feed: await readFeed(type, cursor, signal) };
  });
  useEffect(() => setHeld((now) => now && []), [type]);
  useEffect(() => {
    const { data } = read;
    if (data?.type !== type) return;
    setShown((now) => (now.type === type ? joined(now, data.feed, data.isOlder) : data));
  }, [read.data, type]);
  const add = (events: readonly Event[]): void =>
    setShown((now) => (now.feed ? { ...now, feed: withNew(now.feed, events) } : now));
  useLive((events) => {
    const mine = events.filter(({ name }) => matches(type, name)).toReversed();
    if (events.length === 0) read.reload();
    else if (held) setHeld([...mine, ...held]);
    else add(mine);
  });
  const feed = shown.type === type ? shown.feed : null;
  return {
    events: feed?.events ?? null,
    error: read.error,
    isLoading: read.isLoading,
    hasMore: feed !== null && feed.cursor !== null,
    isPaused: held !== null,
    heldCount: held?.length ?? 0,
    togglePause: () => {
      if (held) add(held);
      setHeld(held ? null : []);
    },
    more: () => {
      before.current = feed?.cursor ?? null;
      read.reload();
    },
    reload: read.reload,
  };
}

type Shown = { readonly type: string; readonly feed: Feed | null };

/** Joins a page to the events so far: behind them, or in front of them. A page of the newest may leave a gap, so it starts anew. */
function joined(now: Shown, page: Feed, isOlder: boolean): Shown {
  const { feed } = now;
  if (!feed) return { ...now, feed: page };
  if (isOlder)
    return { ...now, feed: { events: [...feed.events, ...fresh(page.events, feed)], cursor: page.cursor } };
  const isGapless = page.events.some(({ id }) => feed.events.some((each) => each.id === id));
  return { ...now, feed: isGapless ? withNew(feed, page.events) : page };
}

const fresh = (events: readonly Event[], feed: Feed): readonly Event[] =>
  events.filter(({ id }) => !feed.events.some((each) => each.id === id));

function withNew(feed: Feed, events: readonly Event[]): Feed {
  const all = [...fresh(events, feed), ...feed.events];
  return { ...feed, events: all.slice(0, Math.max(KEPT_MAX, feed.events.length)) };
}

const matches = (type: string, name: string): boolean =>
  type === '' || type === name || (type.endsWith('*') && name.startsWith(type.slice(0, -1)));

import type { ServerProcess } from '../support/process.ts';
import { openSocket } from '../support/server.ts';

/** An event as a live consumer gets it. */
type Event = { readonly sequence: number; readonly cursor: string; readonly payload: string };

/** An event with the time of its arrival by `performance.now()`. */
type Seen = Event & { readonly atMs: number };

/** A live consumer of the feed. */
export type Follower = {
  readonly seen: readonly Seen[];
  /** Returns how often the subscription ended before `stop`. */
  breaks(): number;
  stop(): void;
};

/** Follows the events over websockets from the beginning. Each broken connection goes on from the last event. */
export function followFeed({ url, token }: Pick<ServerProcess, 'url' | 'token'>): Follower {
  const seen: Seen[] = [];
  let [breaks, isOver] = [0, false];
  const client = openSocket(url, { authorization: `Bearer ${token}` });
  const keep = (event: Event): void => void seen.push({ ...event, atMs: performance.now() });
  const goOn = (): void => {
    const after = seen.at(-1)?.cursor ?? 'BEGIN';
    const ended = (): void => {
      if (isOver) return;
      breaks += 1;
      goOn();
    };
    client.subscribe<{ events: Event }>(
      {
        query: 'subscription ($after: String!) { events(after: $after) { sequence cursor payload } }',
        variables: { after },
      },
      { next: ({ data }) => void (data && keep(data.events)), error: ended, complete: ended },
    );
  };
  goOn();
  return {
    seen,
    breaks: () => breaks,
    stop: () => {
      isOver = true;
      void client.dispose();
    },
  };
}

import type { ServerProcess } from '../support/process.ts';
import { openSocket } from '../support/server.ts';

/** An event as a live consumer gets it. */
type Event = { readonly sequence: number; readonly cursor: string; readonly payload: string };

/** An event with the time of its arrival by `performance.now()`. */
type Seen = Event & { readonly atMs: number };

/** A live consumer of the feed. */
export type Follower = {
  readonly seen: readonly Seen[];
  /** The reasons of the ends of the subscription before `stop`. */
  readonly breaks: readonly string[];
  stop(): void;
};

/** Follows the events over websockets from the beginning. Each broken connection goes on from the last event. */
export function followFeed({ url, token }: Pick<ServerProcess, 'url' | 'token'>): Follower {
  const seen: Seen[] = [];
  const breaks: string[] = [];
  let isOver = false;
  const client = openSocket(url, { authorization: `Bearer ${token}` });
  const keep = (event: Event): void => void seen.push({ ...event, atMs: performance.now() });
  const goOn = (): void => {
    const after = seen.at(-1)?.cursor ?? 'BEGIN';
    const ended = (reason: unknown): void => {
      if (isOver) return;
      breaks.push(describe(reason));
      goOn();
    };
    client.subscribe<{ events: Event }>(
      {
        query: 'subscription ($after: String!) { events(after: $after) { sequence cursor payload } }',
        variables: { after },
      },
      {
        next: ({ data }) => void (data && keep(data.events)),
        error: ended,
        complete: () => ended('complete'),
      },
    );
  };
  goOn();
  return {
    seen,
    breaks,
    stop: () => {
      isOver = true;
      void client.dispose();
    },
  };
}

/** Describes the end of a subscription: the code of a closed socket, or the errors of GraphQL. */
function describe(reason: unknown): string {
  const { code, reason: said } = reason as { readonly code?: number; readonly reason?: string };
  return code === undefined ? JSON.stringify(reason) : `${code} ${said}`;
}

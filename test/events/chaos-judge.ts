import { query } from '../support/database.ts';
import { LOOSE_ENDS } from '../support/loose-ends.ts';
import type { ServerProcess } from '../support/process.ts';
import type { LoadResult } from './chaos-load.ts';
import { digestOf, type ChaosReceiver } from './chaos-receivers.ts';

/** An event in the feed, with only the digest of its payload. */
export type FedEvent = {
  readonly id: string;
  readonly name: string;
  readonly sequence: number;
  readonly targetType: string;
  readonly targetId: string;
  readonly digest: string;
};

type Page = {
  readonly events: {
    readonly nodes: readonly {
      readonly id: string;
      readonly name: string;
      readonly sequence: number;
      readonly payload: string;
      readonly target: { readonly type: string; readonly id: string };
    }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
};

/** Reads the whole feed, page by page, from a running server. */
export async function readWholeFeed(server: ServerProcess): Promise<readonly FedEvent[]> {
  const events: FedEvent[] = [];
  let after: string | null = null;
  do {
    const { nodes, pageInfo }: Page['events'] = await readPage(server, after);
    events.push(
      ...nodes.map(({ id, name, sequence, payload, target }) => ({
        ...{ id, name, sequence },
        ...{ targetType: target.type, targetId: target.id, digest: digestOf(payload) },
      })),
    );
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return events;
}

async function readPage(server: ServerProcess, after: string | null): Promise<Page['events']> {
  const { body } = await server.graphql<Page>(PAGE, { after });
  if (!body.data) throw new Error(`The feed cannot be read: ${JSON.stringify(body)}`);
  return body.data.events;
}

const PAGE = `query ($after: String) { events(first: 100, after: $after) {
  nodes { id name sequence payload target { type id } } pageInfo { hasNextPage endCursor } } }`;

export type Evidence = {
  readonly databaseUrl: string;
  readonly feed: readonly FedEvent[];
  readonly load: LoadResult;
  /** Receivers with the ids of their endpoints. */
  readonly receivers: readonly (readonly [endpointId: string, ChaosReceiver])[];
};

/** Lists every violation after the calm phase, as sentences. */
export async function judgeChaos({
  databaseUrl,
  feed,
  load,
  receivers,
}: Evidence): Promise<readonly string[]> {
  const rest = await query<{ finding: string }>(databaseUrl, LOOSE_ENDS);
  return [
    ...load.unanswered,
    // State and events match one to one, no operation or event is pending, and log and feed are equal.
    ...rest.map(({ finding }) => finding),
    ...judgeOrder(feed),
    ...judgeStories(feed, load),
    ...receivers.flatMap(([endpointId, receiver]) => judgeReceiver(feed, endpointId, receiver)),
  ];
}

const judgeOrder = (feed: readonly FedEvent[]): string[] => [
  ...feed.flatMap(({ sequence }, nth) =>
    sequence === nth + 1 ? [] : [`feed: ${sequence} stands in place ${nth + 1}`],
  ),
  ...(new Set(feed.map(({ id }) => id)).size === feed.length ? [] : ['feed: an event is in it twice']),
];

/** Checks that each change reported to a client is in the feed once. A later change must have a later place. */
function judgeStories(feed: readonly FedEvent[], { stories }: LoadResult): string[] {
  const places = Map.groupBy(feed, ({ name, targetId }) => `${name} ${targetId}`);
  return stories.flatMap(({ transactionId, steps }) => {
    let behind = 0;
    return steps.flatMap((step) => {
      const found = step.map(({ name, targetId }) => places.get(`${name} ${targetId}`) ?? []);
      const sequences = found.flat().map(({ sequence }) => sequence);
      const before = behind;
      behind = Math.max(behind, ...sequences);
      return [
        ...step.flatMap(({ name, targetId }, nth) =>
          found[nth]?.length === 1
            ? []
            : [`feed: ${name} of ${targetId} is in it ${found[nth]?.length ?? 0} times`],
        ),
        ...(sequences.some((sequence) => sequence <= before)
          ? [`feed: transaction ${transactionId} has a later change before an earlier one`]
          : []),
      ];
    });
  });
}

/** Checks that a receiver got every requested event, as in the feed, and no other. */
function judgeReceiver(
  feed: readonly FedEvent[],
  endpointId: string,
  { name, eventNames, received, violations }: ChaosReceiver,
): string[] {
  const wanted = feed.filter((event) => isWanted(eventNames, event) && event.targetId !== endpointId);
  const byId = new Map(feed.map((event) => [event.id, event]));
  return [
    ...violations,
    ...wanted.flatMap(({ id, name: what }) =>
      (received.get(id)?.answered ?? 0) > 0 ? [] : [`deliveries: ${name} never got ${what} ${id}`],
    ),
    ...[...received].flatMap(([id, { digests }]) => {
      const event = byId.get(id);
      if (!event) return [`deliveries: ${name} got ${id}, which is not in the feed`];
      if (!isWanted(eventNames, event)) return [`deliveries: ${name} got ${event.name}, not asked for`];
      return digests.size === 1 && digests.has(event.digest)
        ? []
        : [`bodies: ${name} got ${id} with another text than the feed has`];
    }),
  ];
}

const isWanted = (patterns: readonly string[], { name }: FedEvent): boolean =>
  patterns.length === 0 ||
  patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name,
  );

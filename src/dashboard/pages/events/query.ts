import { api } from '../../app/data/api.ts';

const EVENT = {
  ...{ id: true, name: true, createdAt: true },
  target: { type: true, id: true },
} as const;

/** The newest events that were asked for, newest first. `cursor` leads to older ones. Null at the oldest kept event. */
export type Feed = {
  readonly events: Awaited<ReturnType<typeof readNodes>>['nodes'];
  readonly cursor: string | null;
};

/** An event of the list. */
export type Event = Feed['events'][number];

/** The events of one request. */
const PAGE = 50;

async function readNodes(type: string, before: string | null, signal: AbortSignal) {
  const wanted = { last: PAGE, before, ...(type !== '' && { types: [type] }) };
  const selection = { nodes: EVENT, pageInfo: { startCursor: true, hasPreviousPage: true } } as const;
  const { events } = await api.query({ events: [wanted, selection] }, { signal });
  return events;
}

/** Reads the events before a cursor, or the newest. An empty type means every event. */
export async function readFeed(type: string, before: string | null, signal: AbortSignal): Promise<Feed> {
  const { nodes, pageInfo } = await readNodes(type, before, signal);
  return { events: nodes.toReversed(), cursor: pageInfo.hasPreviousPage ? pageInfo.startCursor : null };
}

/** Reads all names of events. */
export const readNames = async (signal: AbortSignal): Promise<readonly string[]> =>
  (await api.query({ eventTypes: { name: true } }, { signal })).eventTypes.map(({ name }) => name);

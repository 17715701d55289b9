import { ok, refuse } from '../../../kernel/result.ts';
import { readFeed, type FeedEvent, type FeedPageArguments } from '../../events/index.ts';
import { field, sourceOf } from './source.ts';

/** The most events of a page of the feed. */
const FEED_PAGE = 100;

/** Events in the order of the feed, with the payload of their webhooks. */
export const events = sourceOf<FeedEvent>({
  scope: 'events.read',
  columns: [
    field('sequence', ({ sequence }) => Number(sequence)),
    field('id', ({ id }) => id),
    field('name', ({ name }) => name),
    field('target_type', ({ targetType }) => targetType),
    field('target_id', ({ targetId }) => targetId, 'text'),
    field('created_at', ({ createdAt }) => createdAt),
    field('payload', ({ payload }) => payload, 'json'),
  ],
  readPage: async (app, reading) => {
    // The creation of the export checked the conditions.
    const conditions = reading.filter as Pick<FeedPageArguments, 'types' | 'target'>;
    const page = { ...conditions, first: FEED_PAGE, after: reading.after, readsAll: true } as const;
    const found = await readFeed(app, reading, page);
    if (!found.ok) return refuse('records_removed');
    return ok({ items: found.value.items, hasMore: found.value.hasNextPage });
  },
  positionOf: ({ cursor }) => cursor,
  meets: ({ createdAt }, { createdAtGte: from, createdAtLte: to }) =>
    !(from instanceof Date && createdAt < from) && !(to instanceof Date && createdAt > to),
});

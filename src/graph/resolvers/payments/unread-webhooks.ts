import {
  applyUnreadWebhook,
  expiresAtOf,
  findUnreadWebhook,
  listUnreadWebhooks,
} from '../../../modules/transactions/index.ts';
import { invalidArguments } from '../../errors.ts';
import type { Resolvers } from '../../generated/transactions.ts';
import { parsePageOrThrow, toConnection } from '../pages.ts';
import { toUserErrors } from '../refusals.ts';

type Of<Name extends 'Query' | 'Mutation', Field extends string> = Pick<
  NonNullable<Resolvers[Name]>,
  Field & keyof NonNullable<Resolvers[Name]>
>;

const Query: Of<'Query', 'unreadWebhook' | 'unreadWebhooks'> = {
  unreadWebhook: (_, { id }, { app, viewer }) => findUnreadWebhook(app, viewer, id),
  unreadWebhooks: async (_, { filter, ...page }, { app, viewer }) => {
    const found = await listUnreadWebhooks(app, viewer, parsePageOrThrow(page), filter);
    if (!found.ok) throw invalidArguments(found.refusals);
    return toConnection(found.value);
  },
};

const Mutation: Of<'Mutation', 'applyUnreadWebhook'> = {
  applyUnreadWebhook: async (_, { id }, { app, viewer }) => {
    const done = await applyUnreadWebhook(app, viewer, id);
    if (!done.ok)
      return { applied: 0, known: 0, unreadWebhook: null, userErrors: toUserErrors(done.refusals) };
    const { applied, known, left } = done.value;
    return { applied, known, unreadWebhook: left, userErrors: [] };
  },
};

const types: Pick<Resolvers, 'UnreadWebhook'> = {
  UnreadWebhook: {
    __resolveReference: ({ id }, { app, viewer }) => findUnreadWebhook(app, viewer, id),
    paymentService: ({ paymentServiceId }) => ({ id: paymentServiceId }),
    expiresAt: (unread) => expiresAtOf(unread),
  },
};

/** The resolvers of webhooks that could not be read. */
export const unreadWebhooks = { Query, Mutation, types };

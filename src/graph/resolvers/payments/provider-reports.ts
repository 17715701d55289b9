import { differences } from './differences.ts';
import { unreadWebhooks } from './unread-webhooks.ts';

/** The resolvers of providers' reports that need a person: differences, and webhooks that could not be read. */
export const reports = {
  Query: { ...differences.Query, ...unreadWebhooks.Query },
  Mutation: { ...differences.Mutation, ...unreadWebhooks.Mutation },
  types: { ...differences.types, ...unreadWebhooks.types },
};

import { z } from 'zod';
import { UNREAD_REASONS } from '../../../connectors/notices/webhook.ts';
import { optional } from '../../../platform/input/values.ts';

/** The filter of a list of unread webhooks. Each field that is null leaves all of them. */
export const unreadFilter = z.object({
  reason: optional(z.array(z.enum(UNREAD_REASONS))),
  paymentServiceId: optional(z.uuid('Must be a UUID.')),
  provider: optional(z.string().min(1).max(100, 'Must be 1 to 100 characters.')),
});

export type UnreadFilter = z.output<typeof unreadFilter>;

import { z } from 'zod';
import { UNREAD_REASONS } from '../../../connectors/webhook.ts';

const orNull = <Value>(schema: z.ZodType<Value>) => schema.nullish().transform((value) => value ?? null);

/** The filter of a list of unread webhooks. Each field that is null leaves all of them. */
export const unreadFilter = z.object({
  reason: orNull(z.array(z.enum(UNREAD_REASONS))),
  paymentServiceId: orNull(z.uuid('Must be a UUID.')),
  provider: orNull(z.string().min(1).max(100, 'Must be 1 to 100 characters.')),
});

export type UnreadFilter = z.output<typeof unreadFilter>;

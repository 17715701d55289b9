import { rotateWebhookSecret, sendTestEvent } from '../../../modules/events/index.ts';
import type { MutationResolvers } from '../../generated/events.ts';
import { toUserErrors } from '../refusals.ts';

/** The mutations of a webhook endpoint other than its update. */
export const webhookMutations: Pick<MutationResolvers, 'rotateWebhookSecret' | 'sendTestEvent'> = {
  rotateWebhookSecret: async (_, { id, overlapMinutes, idempotencyKey }, { app, viewer }) => {
    const rotated = await rotateWebhookSecret(app, viewer, { id, overlapMinutes }, idempotencyKey);
    if (rotated.ok) return { ...rotated.value, userErrors: [] };
    const userErrors = toUserErrors(rotated.refusals);
    return { webhookEndpoint: null, secret: null, userErrors, replayed: false };
  },
  sendTestEvent: async (_, args, { app, viewer }) => {
    const sent = await sendTestEvent(app, viewer, args);
    if (!sent.ok) return { attempt: null, userErrors: toUserErrors(sent.refusals) };
    return { attempt: sent.value, userErrors: [] };
  },
};

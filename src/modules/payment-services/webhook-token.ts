import type { Ids } from '../../platform/ids.ts';

/** 192 bits: the address is all that a provider's webhook must know. */
const WEBHOOK_TOKEN_BYTES = 24;

/** The opaque part of a new webhook address. */
export const newWebhookToken = (ids: Pick<Ids, 'random'>): string =>
  ids.random(WEBHOOK_TOKEN_BYTES).toString('base64url');

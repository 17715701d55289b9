import type { Ids } from '../../../platform/ids.ts';

/** 192 bits, because the address is the only secret of a provider's webhook. */
const WEBHOOK_TOKEN_BYTES = 24;

/** Creates the opaque part of a webhook address. */
export const newWebhookToken = (ids: Pick<Ids, 'random'>): string =>
  ids.random(WEBHOOK_TOKEN_BYTES).toString('base64url');

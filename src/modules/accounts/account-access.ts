import type { Viewer } from '../../app.ts';

/** Ids of the merchant accounts that a key may be used for; empty means every one. */
export type Reach = readonly string[];

/** Whether a merchant account is within a reach. */
export const reaches = (reach: Reach, merchantAccountId: string): boolean =>
  reach.length === 0 || reach.includes(merchantAccountId);

/** What the viewer's token may be used for. */
export const reachOf = ({
  reachableMerchantAccountIds,
}: Pick<Viewer, 'reachableMerchantAccountIds'>): Reach => reachableMerchantAccountIds;

const ID = /^[a-zA-Z0-9-]{1,50}$/;

/** Whether a text can be the id of a merchant account; anything else names none and must not reach the database. */
export const isMerchantAccountId = (text: string): boolean => ID.test(text);

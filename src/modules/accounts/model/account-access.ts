import type { Viewer } from '../../../app.ts';

/** The ids of the merchant accounts that a key can access. Empty: all. */
export type AccountAccess = readonly string[];

/** Returns true if the access includes a merchant account. */
export const canAccess = (access: AccountAccess, merchantAccountId: string): boolean =>
  access.length === 0 || access.includes(merchantAccountId);

/** Returns the merchant accounts that the viewer's token can access. */
export const accessOf = ({
  reachableMerchantAccountIds,
}: Pick<Viewer, 'reachableMerchantAccountIds'>): AccountAccess => reachableMerchantAccountIds;

const ID = /^[a-zA-Z0-9-]{1,50}$/;

/** Returns true if a text can be the id of a merchant account. Any other text must not access the database. */
export const isMerchantAccountId = (text: string): boolean => ID.test(text);

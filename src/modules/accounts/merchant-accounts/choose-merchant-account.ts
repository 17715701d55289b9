import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { DEFAULT_MERCHANT_ACCOUNT } from '../model/merchant-account.ts';
import { canAccess, type AccountAccess } from '../model/account-access.ts';
import type { Forbidden } from '../model/refusals.ts';

/**
 * Chooses the merchant account of a request:
 *
 * - the requested account, if the access includes it
 * - without a request, the only account of the access, or else `default`
 *
 * The caller checks that the account exists.
 */
export function chooseMerchantAccount(
  access: AccountAccess,
  requested: string | undefined,
): Result<string, Forbidden> {
  if (requested !== undefined) return canAccess(access, requested) ? ok(requested) : forbid(NOT_THIS_ONE);
  const [first, ...others] = access;
  if (first !== undefined && others.length === 0) return ok(first);
  return canAccess(access, DEFAULT_MERCHANT_ACCOUNT) ? ok(DEFAULT_MERCHANT_ACCOUNT) : forbid(WHICH_ONE);
}

/** The message for a missing account is the same, so that nobody learns which accounts exist. */
export const NOT_THIS_ONE = 'The token has no access to this merchant account.';

export const WHICH_ONE =
  'The token has access to several merchant accounts: name one in the header x-service-merchant-account-id.';

export const forbid = (message: string) => refuse<Forbidden>({ kind: 'Forbidden', message });

import { ok, refuse, type Result } from '../../kernel/result.ts';
import { DEFAULT_MERCHANT_ACCOUNT } from './merchant-account.ts';
import { reaches, type Reach } from './account-access.ts';
import type { Forbidden } from './refusals.ts';

/**
 * The merchant account that a request is for: the one asked for, if it is within reach; else the only one within reach,
 * or `default`. Whether it exists is for the caller to find out.
 */
export function chooseMerchantAccount(reach: Reach, asked: string | undefined): Result<string, Forbidden> {
  if (asked !== undefined) return reaches(reach, asked) ? ok(asked) : forbid(NOT_THIS_ONE);
  const [first, ...others] = reach;
  if (first !== undefined && others.length === 0) return ok(first);
  return reaches(reach, DEFAULT_MERCHANT_ACCOUNT) ? ok(DEFAULT_MERCHANT_ACCOUNT) : forbid(WHICH_ONE);
}

/** The same for an account that does not exist, so that nobody learns which do. */
export const NOT_THIS_ONE = 'The token has no access to this merchant account.';

export const WHICH_ONE =
  'The token has access to several merchant accounts: name one in the header x-service-merchant-account-id.';

export const forbid = (message: string) => refuse<Forbidden>({ kind: 'Forbidden', message });

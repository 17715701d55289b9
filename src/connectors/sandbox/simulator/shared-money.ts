import type { ShareOnWire } from '../wire/splits-wire.ts';

/** The account that the sandbox does not know. */
export const UNKNOWN_ACCOUNT = 'acct_unknown';

/** The part of a request about its shares. */
type Shared = { readonly amount: number; readonly splits?: readonly ShareOnWire[] };

const refusal = (code: string, message: string) => ({ result: 'error', code, message }) as const;

/** Checks the shares of a request. Null for shares that make the amount, and for a request without shares. */
export function refuseShares({ amount, splits }: Shared): ReturnType<typeof refusal> | null {
  if (!splits) return null;
  if (splits.some(({ account }) => account === UNKNOWN_ACCOUNT))
    return refusal('unknown_service_resource', 'No such account');
  const sum = splits.reduce((all, share) => all + share.amount, 0);
  const isSum = sum === amount && splits.every((share) => share.amount >= 1);
  return isSum ? null : refusal('invalid_amount', 'The shares do not sum up to the amount');
}

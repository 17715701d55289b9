import type { Unknown } from '../../door.ts';
import { payment, type Payment } from '../answers.ts';
import type { Api } from '../exchange.ts';
import { operationOf } from '../names.ts';
import { PAYMENTS, readList, UNREADABLE } from './read-payment.ts';

/** The clocks of two machines may differ. */
const MARGIN_MS = 60_000;

/** The longest time for which Mollie keeps a key, by any page of its documentation, with a margin. */
const KEPT_MS = 25 * 3_600_000;

type Sought = {
  readonly key: string;
  /** Null for the payment of a key that Mollie still keeps. */
  readonly createdAt: Date | null;
};

/**
 * Finds the payment of a key in Mollie's list, newest first. Ends at the first payment that is older than the operation, or than the
 * keys that Mollie keeps. Null if the list has none, which proves nothing about a request of the last minute. Unknown if the list
 * does not end in time, or is missing, because each account has a list.
 */
export async function findPayment(api: Api, { key, createdAt }: Sought): Promise<Payment | Unknown | null> {
  let since = createdAt && createdAt.getTime() - MARGIN_MS;
  const isOurs = ({ metadata }: Payment): boolean => operationOf(metadata) === key;
  const isOlder = ({ createdAt: madeAt }: Payment): boolean => {
    // The first payment is the newest one.
    since ??= madeAt && madeAt.getTime() - KEPT_MS;
    return madeAt !== null && since !== null && madeAt.getTime() < since;
  };
  const read = await readList(
    api,
    PAYMENTS,
    { name: 'payments', form: payment },
    (each) => isOurs(each) || isOlder(each),
  );
  if (read === null) return UNREADABLE;
  return 'kind' in read ? read : (read.find(isOurs) ?? null);
}

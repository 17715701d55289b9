import type { Api } from '../exchange.ts';
import { namesOfChange } from '../names.ts';
import { isDeclined } from '../response-codes.ts';
import { changeOf } from './action-outcome.ts';
import { refusalIn, type WholePayment } from './payment-outcome.ts';
import { pathOf } from './read-payment.ts';

/**
 * Releases an authorised payment that is never paid. Otherwise, the buyer's money stays held, and another payment may hold as much
 * again. A second release releases nothing more. So every look-up sends the release until Checkout.com lists it. A release that was
 * declined is followed by another one.
 */
export async function releaseUnpaid(api: Api, whole: WholePayment, key: string): Promise<void> {
  const { payment, actions } = whole;
  if (payment.status !== 'Authorized' || refusalIn(whole) === null) return;
  const releases = actions.filter((action) => changeOf(action)?.verb === 'release');
  if (!releases.every(isDeclined)) return;
  // The next look-up tells whether the release was successful.
  const names = namesOfChange(key, 'release');
  await api.post(`${pathOf(payment.id)}/voids`, names, `${names.reference}_${releases.length}`);
}

import type { Api } from '../exchange.ts';
import { namesOfChange } from '../names.ts';
import { isDeclined } from '../response-codes.ts';
import { changeOf } from './action-outcome.ts';
import { refusalIn, type WholePayment } from './payment-outcome.ts';
import { pathOf } from './read-payment.ts';

/**
 * Releases an authorised payment that is never paid. Otherwise, the buyer's money stays held, and another payment may hold as much
 * again. A second release releases nothing more, so every look-up sends one until Checkout.com lists it.
 */
export async function releaseUnpaid(api: Api, whole: WholePayment, key: string): Promise<void> {
  const { payment, actions } = whole;
  if (payment.status !== 'Authorized' || refusalIn(whole) === null) return;
  const isUnderWay = actions.some((action) => changeOf(action)?.verb === 'release' && !isDeclined(action));
  // The next look-up tells whether the release was successful.
  if (!isUnderWay)
    await api.post(`${pathOf(payment.id)}/voids`, namesOfChange(key, 'release'), `${key}_release`);
}

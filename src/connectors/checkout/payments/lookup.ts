import type { LookupRequest, Outcome } from '../../door.ts';
import type { Api } from '../exchange.ts';
import { actionOutcome, findChange } from './action-outcome.ts';
import { cancelOutcome, endWhole } from './cancel.ts';
import { outcomeOfWhole } from './payment-outcome.ts';
import { findPayment, readActions, readPayment } from './read-payment.ts';
import { releaseUnpaid } from './release-unpaid.ts';

/** Asks for the outcome of an operation. Null if Checkout.com does not show the operation, which proves nothing. */
export async function lookup(api: Api, request: LookupRequest): Promise<Outcome | null> {
  const { verb, key, reference, money, isHeld } = request;
  switch (verb) {
    case 'authorize': {
      const found = await findPayment(api, request);
      if (found === null || 'kind' in found) return found;
      await releaseUnpaid(api, found, key);
      return outcomeOfWhole(found);
    }
    case 'capture':
    case 'refund':
    case 'void': {
      // Only the payment leads to its other operations.
      const actions = reference === null ? [] : await readActions(api, reference);
      if ('kind' in actions) return actions;
      const made = findChange(actions, key);
      return made ? actionOutcome(made, money.currency) : null;
    }
    case 'cancel': {
      const read = reference === null ? null : await readPayment(api, reference);
      if (read === null || 'kind' in read) return read;
      return isHeld ? cancelOutcome(read, request) : endWhole(api, read, { key, money, isRepeat: true });
    }
    default:
      return null;
  }
}

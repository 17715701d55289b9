import type { LookupRequest, Outcome } from '../../door.ts';
import type { Transaction } from '../answers.ts';
import type { Api } from '../exchange.ts';
import { captureIn } from './capture.ts';
import { authorizationOutcome } from './payment-outcome.ts';
import { findTransaction, readTransaction } from './read-transaction.ts';
import { refundIn } from './refund.ts';
import { cancelledBy, releasedBy } from './release.ts';

/** Asks for the outcome of an operation. Null if Braintree does not show the operation, which alone proves nothing. */
export async function lookup(api: Api, request: LookupRequest): Promise<Outcome | null> {
  const { verb, key, reference } = request;
  if (reference === null && verb !== 'authorize') return null;
  const found = reference === null ? await findTransaction(api, key) : await readTransaction(api, reference);
  return found === null || 'kind' in found ? found : inTransaction(found, request);
}

function inTransaction(transaction: Transaction, request: LookupRequest): Outcome | null {
  const { verb, key, money } = request;
  switch (verb) {
    case 'authorize':
      return authorizationOutcome(transaction, { isLookUp: true });
    case 'capture':
      return captureIn(transaction, key);
    case 'refund':
      return refundIn(transaction, key, money);
    case 'void':
      return releasedBy(transaction, request);
    case 'cancel':
      return cancelledBy(transaction, request);
    case 'increase':
    case 'reauthorize':
      return null;
  }
}

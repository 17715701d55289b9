import type { Outcome, LookupRequest } from '../../door.ts';
import { announced } from './announce.ts';
import { captureOutcome } from './capture.ts';
import type { Api } from '../api/exchange.ts';
import { findAuthorization } from './find-authorization.ts';
import { increaseOutcome } from './increase.ts';
import { authorizationOutcome, setupOutcome } from './intent-outcome.ts';
import { isSetup, readPayment } from '../api/read-payment.ts';
import { findRefund, refundOutcome } from './refund.ts';
import { releaseOutcome } from './release.ts';

/** Asks for the outcome of an operation. Null if Stripe does not know the operation, which proves nothing. */
export async function lookup(api: Api, request: LookupRequest): Promise<Outcome | null> {
  const { verb, reference, key, money } = request;
  if (verb === 'authorize') return lookUpAuthorization(api, request);
  // Stripe renews no authorisation. Only the payment leads to its other operations.
  if (verb === 'reauthorize' || reference === null) return null;
  if (verb === 'refund') return lookUpRefund(api, reference, key);
  const read = await readPayment(api, reference);
  if ('unknown' in read) return read.unknown;
  if (read.intent === null) return null;
  if (verb === 'void' || verb === 'cancel') return releaseOutcome(read.intent, money);
  if (isSetup(read.intent)) return null;
  return verb === 'capture' ? captureOutcome(read.intent, key) : increaseOutcome(read.intent, key);
}

async function lookUpAuthorization(api: Api, request: LookupRequest): Promise<Outcome | null> {
  const found = await findAuthorization(api, request);
  if (found === null || 'kind' in found) return found;
  return isSetup(found)
    ? setupOutcome(found, request.money.currency)
    : announced(api, found, authorizationOutcome(found));
}

async function lookUpRefund(api: Api, reference: string, key: string): Promise<Outcome | null> {
  const found = await findRefund(api, reference, key);
  return found === null || 'kind' in found ? found : refundOutcome(found);
}

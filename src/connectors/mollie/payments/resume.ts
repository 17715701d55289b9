import type { Outcome, ResumeRequest } from '../../door.ts';
import type { Api } from '../exchange.ts';
import { paymentOutcome } from './payment-outcome.ts';
import { readPayment, UNREADABLE } from './read-payment.ts';

/**
 * Reads a payment whose buyer came back. Mollie completes payments by itself, so nothing is sent. The parameters of the return say
 * nothing: Mollie's page adds none.
 */
export async function resume(api: Api, { reference }: ResumeRequest): Promise<Outcome> {
  const read = await readPayment(api, reference);
  if (read === null) return UNREADABLE;
  return 'kind' in read ? read : paymentOutcome(read);
}

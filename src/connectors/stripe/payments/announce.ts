import type { Outcome } from '../../door.ts';
import { mandate, type PaymentIntent } from '../api/answers.ts';
import { bankDetailsOf } from './charge-words.ts';
import type { Api } from '../api/exchange.ts';

/** Adds the reference of the mandate to an accepted debit. Payers must learn it. Without an answer it stays open. */
export async function announced(api: Api, intent: PaymentIntent, outcome: Outcome): Promise<Outcome> {
  const id = bankDetailsOf(intent)?.mandate;
  if (outcome.kind !== 'accepted' || !outcome.debit || !id) return outcome;
  const answer = await api.get(`/v1/mandates/${encodeURIComponent(id)}`);
  const read = answer.kind === 'answered' ? mandate.safeParse(answer.body).data : undefined;
  const { sepa_debit: sepa, bacs_debit: bacs } = read?.payment_method_details ?? {};
  const debit = {
    ...outcome.debit,
    mandateReference: sepa?.reference ?? bacs?.reference ?? null,
    creditorId: bacs?.service_user_number ?? null,
  };
  return { ...outcome, debit };
}

import type { UnknownCause, Unknown } from '../../door.ts';
import { paymentIntent, setupIntent, type PaymentIntent, type SetupIntent } from './answers.ts';
import type { Answer, Api } from './exchange.ts';

export const PAYMENT_INTENTS = '/v1/payment_intents';
export const SETUP_INTENTS = '/v1/setup_intents';

export type Intent = PaymentIntent | SetupIntent;

export const isSetup = (intent: Intent): intent is SetupIntent => intent.object === 'setup_intent';

/** Returns the path of an intent. The prefix of the id tells the kind. */
export const pathOf = (reference: string): string =>
  `${reference.startsWith('seti_') ? SETUP_INTENTS : PAYMENT_INTENTS}/${encodeURIComponent(reference)}`;

/** Reads an intent. Null if Stripe has none of this id. */
export type ReadIntent = { readonly intent: Intent | null } | { readonly unknown: Unknown };

/** Reads the intent with its latest charge. Changes nothing. */
export async function readPayment(api: Api, reference: string): Promise<ReadIntent> {
  const isSetupReference = reference.startsWith('seti_');
  const answer = await api.get(pathOf(reference), isSetupReference ? {} : { expand: ['latest_charge'] });
  if (answer.kind === 'answered') {
    const intent = readIntent(answer.body);
    return intent ? { intent } : unknown('unreadable');
  }
  if (answer.kind === 'refused' && answer.error.code === 'resource_missing') return { intent: null };
  return unknown(causeOf(answer));
}

/** Reads an intent of either kind. Null for anything else. */
export const readIntent = (body: unknown): Intent | null =>
  paymentIntent.safeParse(body).data ?? setupIntent.safeParse(body).data ?? null;

/** Returns why a read brought nothing. A read that never left says nothing about the operation, so only the cause counts. */
export const causeOf = (answer: Exclude<Answer, { readonly kind: 'answered' }>): UnknownCause =>
  answer.kind === 'unknown' ? answer.unknown.cause : 'server_error';

export const unknown = (cause: UnknownCause): { readonly unknown: Unknown } => ({
  unknown: { kind: 'unknown', cause },
});

import { z } from 'zod';
import type { CallContext, Verification } from '../door.ts';
import { METHOD_TYPES } from './model/definitions.ts';
import { isOfEnvironment, type Answer, type Api } from './api/exchange.ts';

const account = z.object({
  object: z.literal('account'),
  charges_enabled: z.boolean(),
  capabilities: z.record(z.string(), z.string()).nullish().catch(null),
});

/** Returns the part of the account that a payment method needs. An account without a part of this name is not refused. */
const capabilityOf = (type: string): string =>
  type === 'us_bank_account' ? 'us_bank_account_ach_payments' : `${type}_payments`;

/**
 * Asks Stripe whether the secret key works, and whether the account takes payments of the definition. Moves no money.
 * A restricted key may not read the account. Then its right to read payments counts.
 */
export async function verify(api: Api, context: CallContext): Promise<Verification> {
  const { credentials, definition } = context;
  if (credentials['secret_key']?.startsWith('pk_')) return refused(PUBLISHABLE);
  if (!isOfEnvironment(context)) return refused(OTHER_MODE[context.environment]);
  const answer = await api.get('/v1/account');
  if (isForbidden(answer)) return verificationOf(await api.get('/v1/payment_intents', { limit: 1 }));
  if (answer.kind !== 'answered') return verificationOf(answer);
  const read = account.safeParse(answer.body).data;
  if (!read) return { kind: 'unknown', cause: 'unreadable' };
  if (!read.charges_enabled) return refused(NO_CHARGES);
  const type = METHOD_TYPES[definition.id];
  const capability = type && capabilityOf(type);
  return capability && read.capabilities?.[capability] === 'inactive'
    ? refused(
        `The capability ${capability} of the Stripe account is inactive. Switch the payment method on at Stripe.`,
      )
    : { kind: 'accepted' };
}

const PUBLISHABLE = 'The secret key is a publishable key. Give a key that begins with sk_ or rk_.';

const OTHER_MODE = {
  production: 'The secret key is a test key. Production needs a live key.',
  sandbox: 'The secret key is a live key. The sandbox needs a test key.',
} as const;

const NO_CHARGES = 'The Stripe account cannot take payments yet. Complete its activation at Stripe.';

const refused = (reason: string): Verification => ({ kind: 'refused', reason });

const isForbidden = (answer: Answer): boolean =>
  answer.kind === 'unknown' && answer.unknown.refusedAs === 'insufficient_service_permissions';

/** Only an explicit refusal of the key counts. A limit of requests says nothing about the key. */
function verificationOf(answer: Answer): Verification {
  if (answer.kind === 'answered') return { kind: 'accepted' };
  if (answer.kind === 'refused') return refused(answer.error.message ?? 'Stripe refuses the request.');
  const { refusedAs, cause } = answer.unknown;
  return refusedAs === undefined || refusedAs === 'service_rate_limit'
    ? { kind: 'unknown', cause }
    : refused(answer.error?.message ?? 'Stripe refuses the secret key.');
}

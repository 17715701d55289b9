import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CallContext, OpenedSession, SessionRequest } from '../door.ts';
import { exchange } from './exchange.ts';

/** A request for a session, in the provider's format. */
export type SessionQuestion = {
  readonly operation: 'session';
  readonly idempotency_key: string;
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly currency: string;
  readonly intent: 'authorize' | 'capture';
  readonly client: string;
  readonly method: string;
};

/** An answer with a session, in the provider's format. */
export type SessionAnswer = z.output<typeof answer>;

/** Opens a session at the built-in provider or at the merchant's own simulator at `api_url`. */
export async function openSandboxSession(
  context: CallContext,
  { key, reference, money, capture, client }: SessionRequest,
): Promise<OpenedSession> {
  const { merchant_id: merchantId = '', api_url: url } = context.credentials;
  const question: SessionQuestion = {
    operation: 'session',
    idempotency_key: key,
    payment_id: reference,
    merchant_id: merchantId,
    currency: money.currency,
    intent: capture ? 'capture' : 'authorize',
    client,
    method: context.definition.method,
  };
  if (!url) return sessionFromWire(simulateSession(question));
  const exchanged = await exchange(context, url, question);
  return 'unknown' in exchanged ? exchanged.unknown : sessionFromWire(exchanged.answer);
}

/** Opens a session as the built-in provider. The same request always gets the same answer. */
export const simulateSession = (question: SessionQuestion): SessionAnswer => ({
  order_id: question.payment_id,
  client_id: `client_${createHash('sha256').update(question.merchant_id).digest('hex').slice(0, 24)}`,
  merchant_id: question.merchant_id,
  currency: question.currency,
  intent: question.intent,
  funding_source: question.method,
});

const answer = z.object({
  order_id: z.string().min(1),
  client_id: z.string().min(1),
  merchant_id: z.string(),
  currency: z.string(),
  intent: z.enum(['authorize', 'capture']),
  funding_source: z.string().min(1),
});

/** Maps the provider's answer to a session. Returns `unknown` for an undocumented answer. */
export function sessionFromWire(given: unknown): OpenedSession {
  const parsed = answer.safeParse(given);
  if (!parsed.success) return { kind: 'unknown', cause: 'unreadable' };
  const { order_id, client_id, merchant_id, currency, intent, funding_source } = parsed.data;
  const data = { orderId: order_id, clientId: client_id, merchantId: merchant_id, currency, intent };
  return { kind: 'opened', data: { ...data, fundingSource: funding_source } };
}

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CallContext } from '../call-context.ts';
import type { Outcome } from '../outcome.ts';
import type { CompletionRequest, OpenedSession, SessionRequest } from '../sessions.ts';
import { exchange } from './exchange.ts';
import { simulate, type SimulatorReply, type SimulatorRequest } from './simulator.ts';
import { outcomeFromWire } from './wire.ts';

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

/** A request to complete an approved payment, in the provider's format. */
export type CompletionQuestion = Omit<SimulatorRequest, 'operation'> & { readonly operation: 'complete' };

/** Asks the provider to carry out the payment that the buyer approved. */
export async function completeSandboxSession(
  context: CallContext,
  { key, reference, money, capture }: CompletionRequest,
): Promise<Outcome> {
  const question: CompletionQuestion = {
    operation: 'complete',
    idempotency_key: key,
    payment_id: reference,
    ...money,
    capture,
  };
  const { api_url: url } = context.credentials;
  const exchanged = url ? await exchange(context, url, question) : { answer: simulateCompletion(question) };
  if ('unknown' in exchanged) return exchanged.unknown;
  return outcomeFromWire(exchanged.answer) ?? { kind: 'unknown', cause: 'unreadable' };
}

/** Completes a payment as the built-in provider, as if the buyer approved on the provider's page. */
export const simulateCompletion = (question: CompletionQuestion): SimulatorReply =>
  simulate({ ...question, operation: 'status', of: 'authorize', approval: 'approved' });

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

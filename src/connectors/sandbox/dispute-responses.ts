import { z } from 'zod';
import type { CallContext, DisputeAnswer, DisputeRequest, DisputeResponses, Evidence } from '../door.ts';
import { exchange } from './exchange.ts';

/** A response to a dispute, in the provider's format. */
export type DisputeQuestion = {
  readonly operation: 'submit_evidence' | 'accept_dispute';
  readonly idempotency_key: string;
  readonly dispute: string;
  readonly stage: string;
  readonly payment_id: string | null;
  readonly texts?: readonly { readonly kind: string; readonly text: string }[];
  readonly files?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly format: string;
    readonly content: string;
  }[];
};

/** An answer to a response, in the provider's format. */
export type DisputeReply = { readonly result: 'done' | 'refused'; readonly code: string };

/** The responses of the built-in provider, or of the merchant's own simulator at `api_url`. */
export const sandboxDisputes = {
  submitEvidence: (context, { evidence, ...request }) => respond(context, request, evidence),
  accept: (context, request) => respond(context, request, null),
} as const satisfies DisputeResponses;

async function respond(
  context: CallContext,
  request: DisputeRequest,
  evidence: Evidence | null,
): Promise<DisputeAnswer> {
  const question = toWire(request, evidence);
  const { api_url: url } = context.credentials;
  if (!url) return answerFromWire(simulateResponse(question));
  const exchanged = await exchange(context, url, question);
  return 'unknown' in exchanged ? exchanged.unknown : answerFromWire(exchanged.answer);
}

const toWire = (
  { key, disputeReference, stage, paymentReference }: DisputeRequest,
  evidence: Evidence | null,
): DisputeQuestion => ({
  operation: evidence === null ? 'accept_dispute' : 'submit_evidence',
  ...{ idempotency_key: key, dispute: disputeReference, stage, payment_id: paymentReference },
  ...(evidence && {
    texts: evidence.texts,
    files: evidence.files,
  }),
});

/** Answers a response as the built-in provider. A dispute whose id ends with `_refused` takes none. */
export const simulateResponse = ({ dispute }: DisputeQuestion): DisputeReply =>
  dispute.endsWith('_refused')
    ? { result: 'refused', code: 'dispute_closed' }
    : { result: 'done', code: '00' };

const reply = z.object({ result: z.enum(['done', 'refused']), code: z.string() });

/** Maps the provider's answer. Returns `unknown` for an undocumented answer, never a refusal. */
function answerFromWire(given: unknown): DisputeAnswer {
  const parsed = reply.safeParse(given);
  if (!parsed.success) return { kind: 'unknown', cause: 'unreadable' };
  const { result, code } = parsed.data;
  return result === 'done' ? { kind: 'done' } : { kind: 'refused', errorCode: code };
}

import type { DisputeEvidenceInput, DisputeResponseStatus } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';
import { PAYMENT_LINE } from '../payments/lines.tsx';

const RESPONSE = {
  ...{ id: true, kind: true, stage: true, status: true, errorCode: true, createdAt: true },
  ...{ acceptedAt: true, settledAt: true },
} as const;

const BUYER = { displayName: true, billingDetails: { emailAddress: true } } as const;

const disputeOf = (withBuyer: boolean) =>
  ({
    ...{ id: true, stage: true, status: true, reason: true, reasonCode: true, amount: true, currency: true },
    ...{ lostAmount: true, respondBy: true, createdAt: true, paymentServiceDisputeId: true },
    responses: RESPONSE,
    paymentService: {
      displayName: true,
      definition: { supportedFeatures: { name: true, supported: true } },
    },
    transaction: {
      ...PAYMENT_LINE,
      ...{ externalIdentifier: true, buyerId: true },
      // Without the scope the buyer is absent.
      buyer: (withBuyer && BUYER) as typeof BUYER,
    },
  }) as const;

/** Reads a dispute with its payment. Null without such a dispute. */
export const readDispute = async (id: string, withBuyer: boolean, signal: AbortSignal) =>
  (await api.query({ dispute: [{ id }, disputeOf(withBuyer)] }, { signal })).dispute;

/** A dispute of the page. */
export type Dispute = NonNullable<Awaited<ReturnType<typeof readDispute>>>;

/** The outcome of a response, in the words of the API. */
export type Outcome = { readonly status: DisputeResponseStatus; readonly errorCode: string | null };

const OUTCOME = { response: { status: true, errorCode: true } } as const;

/** Sends evidence to the provider. A repeated request with the same key has the first outcome. */
export async function submitEvidence(
  id: string,
  input: DisputeEvidenceInput,
  idempotencyKey: string,
): Promise<Outcome> {
  const { submitDisputeEvidence } = await api.mutate({
    submitDisputeEvidence: [{ id, input, idempotencyKey }, OUTCOME],
  });
  return submitDisputeEvidence.response ?? UNREAD;
}

/** Gives the disputed money up. */
export async function acceptDispute(id: string, idempotencyKey: string): Promise<Outcome> {
  const { acceptDispute: accepted } = await api.mutate({ acceptDispute: [{ id, idempotencyKey }, OUTCOME] });
  return accepted.response ?? UNREAD;
}

/** The API answers each response that it does not refuse with a record. */
const UNREAD: Outcome = { status: 'PENDING', errorCode: null };

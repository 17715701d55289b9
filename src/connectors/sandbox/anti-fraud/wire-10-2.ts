import { z } from 'zod';
import type { Credentials, CheckAnswer, CheckedBuyer, CheckRequest, ReviewNotice } from '../../door.ts';

// Version 10.2 of the third party's interface: nested, in camelCase, with verdict words and a list of reasons.

/** A check in the third party's format. */
export type CheckRequest102 = {
  readonly apiVersion: '10.2';
  readonly merchantId: string;
  readonly requestId: string;
  readonly order: { readonly amount: { readonly value: number; readonly currency: string } };
  readonly customer: Customer | null;
  readonly card: {
    readonly bin: string;
    readonly lastFour: string;
    readonly digest: string | null;
  } | null;
  readonly device: { readonly sessionId: string } | null;
};

type Customer = {
  readonly id: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: {
    readonly city: string | null;
    readonly postalCode: string | null;
    readonly country: string | null;
  } | null;
};

/** Maps our check to the third party's format. */
export const toWire102 = (
  { merchant_id: merchantId = '' }: Credentials,
  { key, money, buyer, card, deviceFingerprint }: CheckRequest,
): CheckRequest102 => ({
  apiVersion: '10.2',
  merchantId,
  requestId: key,
  order: { amount: { value: money.amount, currency: money.currency } },
  customer: buyer && customerOf(buyer),
  card: card && { bin: card.bin, lastFour: card.lastFour, digest: card.fingerprint },
  device: deviceFingerprint === null ? null : { sessionId: deviceFingerprint },
});

function customerOf({ externalIdentifier, displayName, billingDetails }: CheckedBuyer): Customer {
  const address = billingDetails?.address ?? null;
  return {
    id: externalIdentifier,
    givenName: billingDetails?.firstName ?? null,
    familyName: billingDetails?.lastName ?? null,
    displayName,
    email: billingDetails?.emailAddress ?? null,
    phone: billingDetails?.phoneNumber ?? null,
    address: address && { city: address.city, postalCode: address.postalCode, country: address.country },
  };
}

const VERDICTS = {
  APPROVED: 'accept',
  DECLINED: 'reject',
  MANUAL_REVIEW: 'review',
  FAILED: 'error',
  TIMED_OUT: 'exception',
  NOT_ASSESSED: 'skipped',
} as const;

const reply = z.object({
  apiVersion: z.literal('10.2'),
  requestId: z.string(),
  assessment: z.object({
    id: z.string().min(1).nullable(),
    verdict: z.enum(Object.keys(VERDICTS) as (keyof typeof VERDICTS)[]),
    reasons: z.array(z.object({ code: z.string(), message: z.string() })),
  }),
});

export type CheckReply102 = Readonly<z.infer<typeof reply>>;

/**
 * Maps the third party's answer to ours. Returns `unknown` for an undocumented answer, another check or another
 * version.
 */
export function fromWire102(given: unknown, key: string): CheckAnswer {
  const parsed = reply.safeParse(given);
  if (!parsed.success || parsed.data.requestId !== key) return { kind: 'unknown', cause: 'unreadable' };
  const { id: reference, verdict, reasons } = parsed.data.assessment;
  return {
    kind: 'decided',
    decision: VERDICTS[verdict],
    reference,
    rawResponseCode: reasons[0]?.code ?? null,
    rawResponseDescription: reasons.length > 0 ? reasons.map(({ message }) => message).join(' ') : null,
  };
}

const review = z.object({
  apiVersion: z.literal('10.2'),
  eventId: z.string().min(1),
  occurredAt: z.iso.datetime({ offset: true }),
  requestId: z.uuid().transform((key) => key.toLowerCase()),
  assessment: z.object({
    id: z.string().min(1),
    verdict: z.enum(['APPROVED', 'DECLINED']),
    comment: z.string().nullish(),
  }),
});

/** Maps a decision about a review to our notice. Returns null if the body is no decision of this version. */
export function reviewFromWire102(given: unknown): ReviewNotice | null {
  const parsed = review.safeParse(given);
  if (!parsed.success) return null;
  const { eventId, occurredAt, requestId, assessment } = parsed.data;
  return {
    eventKey: eventId,
    interfaceVersion: '10.2',
    key: requestId,
    reference: assessment.id,
    decision: VERDICTS[assessment.verdict],
    comment: assessment.comment ?? null,
    occurredAt: new Date(occurredAt),
  };
}

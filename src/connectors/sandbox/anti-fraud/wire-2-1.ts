import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Credentials, CheckAnswer, CheckRequest, ReviewNotice } from '../../door.ts';

// Version 2.1 of the third party's interface: flat, in snake_case, with decisions of one letter.

/** A check in the third party's format. */
export type CheckRequest21 = {
  readonly version: '2.1';
  readonly merchant_id: string;
  readonly check_ref: string;
  readonly amount: number;
  readonly currency: string;
  readonly customer_ref: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly city: string | null;
  readonly postal_code: string | null;
  readonly country: string | null;
  readonly card_bin: string | null;
  readonly card_last_four: string | null;
  readonly card_digest: string | null;
  readonly session_id: string | null;
};

/** Maps our check to the third party's format. */
export function toWire21(
  { merchant_id: merchantId = '' }: Credentials,
  { key, money, buyer, card, deviceFingerprint }: CheckRequest,
): CheckRequest21 {
  const details = buyer?.billingDetails ?? null;
  const names = [details?.firstName, details?.lastName].filter((name) => name != null);
  return {
    version: '2.1',
    merchant_id: merchantId,
    check_ref: key,
    amount: money.amount,
    currency: money.currency,
    customer_ref: buyer?.externalIdentifier ?? null,
    name: names.length > 0 ? names.join(' ') : (buyer?.displayName ?? null),
    email: details?.emailAddress ?? null,
    phone: details?.phoneNumber ?? null,
    city: details?.address?.city ?? null,
    postal_code: details?.address?.postalCode ?? null,
    country: details?.address?.country ?? null,
    card_bin: card?.bin ?? null,
    card_last_four: card?.lastFour ?? null,
    card_digest: card?.fingerprint ?? null,
    session_id: deviceFingerprint,
  };
}

const DECISIONS = {
  A: 'accept',
  D: 'reject',
  R: 'review',
  E: 'error',
  T: 'exception',
  N: 'skipped',
} as const;

const reply = z.object({
  version: z.literal('2.1'),
  check_ref: z.string(),
  check_id: z.string().min(1).nullable(),
  decision: z.enum(Object.keys(DECISIONS) as (keyof typeof DECISIONS)[]),
  reason_code: z.string(),
  reason_text: z.string(),
});

export type CheckReply21 = Readonly<z.infer<typeof reply>>;

/**
 * Maps the third party's answer to ours. Returns `unknown` for an undocumented answer, another check or another
 * version.
 */
export function fromWire21(given: unknown, key: string): CheckAnswer {
  const parsed = reply.safeParse(given);
  if (!parsed.success || parsed.data.check_ref !== key) return { kind: 'unknown', cause: 'unreadable' };
  const { decision, check_id: reference, reason_code, reason_text } = parsed.data;
  return {
    kind: 'decided',
    decision: DECISIONS[decision],
    reference,
    rawResponseCode: reason_code,
    rawResponseDescription: reason_text,
  };
}

const review = z.object({
  version: z.literal('2.1'),
  check_ref: z.uuid().transform((key) => key.toLowerCase()),
  check_id: z.string().min(1),
  decision: z.enum(['A', 'D']),
  comment: z.string().nullish(),
});

/**
 * Maps a decision about a review to our notice. Returns null if the body is no decision of this version. The
 * body names no event and no time.
 */
export function reviewFromWire21(given: unknown): ReviewNotice | null {
  const parsed = review.safeParse(given);
  if (!parsed.success) return null;
  const { check_ref: key, check_id: reference, decision, comment = null } = parsed.data;
  return {
    eventKey: `sha256:${createHash('sha256').update(JSON.stringify(parsed.data)).digest('base64url')}`,
    interfaceVersion: '2.1',
    key,
    reference,
    decision: DECISIONS[decision],
    comment,
    occurredAt: null,
  };
}

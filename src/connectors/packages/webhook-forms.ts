import { z } from 'zod';
import { AMOUNT_MAX } from '../../kernel/money.ts';
import { isUuid } from '../../platform/ids.ts';

// The forms of what a connector reads in webhooks. A wrong form counts as an exception of the connector.

const text = z.string();
const key = z.string().refine(isUuid).nullable();
const occurredAt = z.date().nullable();
const money = z.object({ amount: z.int().min(0).max(AMOUNT_MAX), currency: z.string().regex(/^[A-Z]{3}$/) });

const head = {
  eventKey: text,
  occurredAt,
  key,
  reference: text.nullable(),
  paymentReference: text.nullable(),
};

const outcome = z.looseObject({
  kind: z.enum(['succeeded', 'accepted', 'token_created', 'declined', 'failed', 'reversed', 'expired']),
  rawResponseCode: text.nullable(),
  rawResponseDescription: text.nullable(),
  money: money.nullish(),
  errorCode: text.optional(),
  recurringToken: text.nullish(),
  schemeTransactionId: text.nullish(),
  networkResponseCode: text.nullish(),
  merchantAdviceCode: text.nullish(),
  reversalReference: text.nullish(),
});

/** The outcomes whose books need a money or a code, if only a null. */
const isComplete = ({ kind, money: told, errorCode }: z.output<typeof outcome>): boolean => {
  const needsMoney = kind === 'succeeded' || kind === 'reversed';
  const needsCode = kind === 'declined' || kind === 'failed' || kind === 'reversed';
  return (!needsMoney || told !== undefined) && (!needsCode || errorCode !== undefined);
};

export const operationNotice = z.object({
  ...head,
  verb: z.enum(['authorize', 'increase', 'reauthorize', 'capture', 'refund', 'void', 'cancel']),
  authorizationKey: text.nullish(),
  total: money.optional(),
  whole: money.optional(),
  final: z.boolean().optional(),
  captureReference: text.nullish(),
  outcome: outcome.refine(isComplete),
});

export const disputeNotice = z.object({
  ...head,
  dispute: z.object({
    disputeReference: text,
    stage: text,
    status: text,
    reason: text,
    reasonCode: text.nullable(),
    money,
    respondBy: z.date().nullable(),
  }),
});

const card = z.record(text, text.nullable()).nullable();

const storedMethodNotice = z.object({
  eventKey: text,
  occurredAt,
  storedMethod: z.object({
    token: text.nullable(),
    change: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('updated'), card }),
      z.object({ kind: z.literal('disabled') }),
    ]),
  }),
});

const lookUpNotice = z.object({ kind: z.literal('look_up'), reference: text });

const refusal = z.object({ ok: z.literal(false), refusals: z.array(text).min(1) });

export const verified = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    value: z.object({ parts: z.array(text), unsigned: z.number(), isSigned: z.boolean() }),
  }),
  refusal,
]);

export const notices = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    value: z.array(z.union([operationNotice, disputeNotice, storedMethodNotice, lookUpNotice])),
  }),
  refusal,
]);

/** The answer to a proof of an address. */
export const proof = text.nullable();

export const reviews = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    value: z.array(
      z.object({
        eventKey: text,
        interfaceVersion: text,
        key,
        reference: text.nullable(),
        decision: z.enum(['accept', 'reject']),
        comment: text.nullable(),
        occurredAt,
      }),
    ),
  }),
  refusal,
]);

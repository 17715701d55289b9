import { z } from 'zod';
import { AMOUNT_MAX } from '../../kernel/money.ts';
import { DECLINE_CODES } from '../codes/decline-codes.ts';
import { GIFT_CARD_ERROR_CODES } from '../interface/gift-cards.ts';
import { disputeNotice, operationNotice } from './webhook-forms.ts';

// The forms of a connector's answers. The types of a package may be wrong, and a wrong answer must not reach the books.

const text = z.string();
const optionalText = z.string().nullish();

const errorCode = z.string().refine((code) => Object.hasOwn(DECLINE_CODES, code));

const unknown = z
  .object({
    kind: z.literal('unknown'),
    cause: z.enum(['timeout', 'connection', 'server_error', 'unreadable']),
    sent: z.literal(false).optional(),
    refusedAs: errorCode.optional(),
    arrived: z.literal(true).optional(),
  })
  .refine(({ sent, refusedAs }) => refusedAs === undefined || sent === false, { path: ['refusedAs'] });

const money = z.object({
  amount: z.int().min(0).max(AMOUNT_MAX),
  currency: z.string().regex(/^[A-Z]{3}$/),
});

const card = z.object({
  scheme: text.nullable(),
  bin: text.nullable(),
  lastFour: text.nullable(),
  expirationDate: text.nullable(),
});

const words = {
  rawResponseCode: text.nullable(),
  rawResponseDescription: text.nullable(),
  authResponseCode: optionalText,
  networkResponseCode: optionalText,
  merchantAdviceCode: optionalText,
  avsResponseCode: optionalText,
  cvvResponseCode: optionalText,
  cardCountry: optionalText,
  card: card.nullish(),
};

const debit = z.object({
  debitsOn: text.nullable(),
  creditorId: text.nullable(),
  mandateReference: text.nullable(),
});

export const outcome = z.discriminatedUnion('kind', [
  z.object({
    ...words,
    kind: z.literal('succeeded'),
    reference: text,
    money,
    schemeTransactionId: optionalText,
    recurringToken: optionalText,
  }),
  z.object({
    ...words,
    kind: z.literal('accepted'),
    reference: text,
    unreleased: text.optional(),
    approvalUrl: text.optional(),
    approvalForm: z.record(text, text).optional(),
    qrCode: text.optional(),
    expiresAt: z.date().optional(),
    session: z.literal(true).optional(),
    clientAction: text.optional(),
    debit: debit.optional(),
    paymentReference: text.optional(),
  }),
  z.object({ ...words, kind: z.enum(['declined', 'failed']), reference: text.nullable(), errorCode }),
  unknown,
]);

export const foundOutcome = outcome.nullable();

/** The code of a refusal is the provider's own word. */
export const refusable = <Kind extends string>(kind: Kind) =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal(kind) }),
    z.object({ kind: z.literal('refused'), errorCode: text }),
    unknown,
  ]);

export const verification = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('accepted') }),
    z.object({ kind: z.literal('refused'), reason: text }),
    unknown,
  ])
  .nullable();

export const openedSession = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('opened'),
    data: z.record(text, text),
    atProvider: z.literal(true).optional(),
  }),
  unknown,
]);

export const storedMethod = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('found'), card: card.nullable() }),
  z.object({ kind: z.literal('not_found') }),
  unknown,
]);

export const foundPayment = z
  .discriminatedUnion('kind', [z.object({ kind: z.literal('found'), reference: text }), unknown])
  .nullable();

/** Paygraph writes the event keys of the notices. */
export const books = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('books'),
      state: z.enum(['pending', 'open', 'closed', 'voided', 'expired', 'refused']),
      authorized: money.nullable(),
      notices: z.array(operationNotice.omit({ eventKey: true })),
      disputes: z.array(disputeNotice.omit({ eventKey: true })).optional(),
    }),
    unknown,
  ])
  .nullable();

/** The types of an entry. Its values are judged when the page is read. */
const settlementEntry = z.object({
  reference: text,
  kind: text,
  providerKind: optionalText,
  line: z.number().nullish(),
  key: text.nullable(),
  operationReference: text.nullable(),
  paymentReference: text.nullable(),
  disputeReference: text.nullable(),
  payoutReference: text.nullable(),
  captureReference: optionalText,
  isPart: z.boolean().optional(),
  capturedTotal: z.number().nullish(),
  gross: z.number(),
  fee: z.number(),
  net: z.number(),
  currency: text,
  original: z.object({ amount: z.number(), currency: text }).nullable(),
  exchangeRate: text.nullable(),
  settledOn: text,
});

const unreadableEntry = z.object({
  reference: text,
  line: z.number().nullish(),
  payoutReference: optionalText,
  field: text,
});

export const settlements = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('page'),
    entries: z.array(settlementEntry),
    unreadable: z.array(unreadableEntry).optional(),
    cursor: text,
    more: z.boolean(),
  }),
  z.object({ kind: z.literal('refused'), reason: text }),
  unknown,
]);

export const balance = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('known'), money, expiresAt: z.date().nullable() }),
  z.object({
    kind: z.literal('refused'),
    errorCode: z.enum(GIFT_CARD_ERROR_CODES),
    rawErrorCode: text.nullable(),
    rawErrorMessage: text.nullable(),
  }),
  unknown,
]);

export const check = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('decided'),
    decision: z.enum(['accept', 'reject', 'review', 'error', 'exception', 'skipped']),
    reference: text.nullable(),
    rawResponseCode: text.nullable(),
    rawResponseDescription: text.nullable(),
  }),
  unknown,
]);

export const report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('refused'), reason: text }),
  unknown,
]);

import { z } from 'zod';
import {
  sameMoney,
  type Money,
  type Awaits,
  type Known,
  type Outcome,
  type ProviderWords,
} from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import { adviceOf, avsOf, cvcOf } from './checks.ts';
import { cardOf } from './known-card.ts';
import { cancellationOf, errorResultOf, refusalOf, responseCodeOf, type Refusal } from '../errors.ts';
import { tokenOf } from '../stored-token.ts';

/** The request that a payment's answer belongs to. */
export type Asked = {
  readonly key: string;
  readonly money: Money;
  /** Adyen's id of the payment, if an earlier answer named one. */
  readonly reference: string | null;
  /** The shopper under whom the payment stores its method. Null if the payment stores nothing. */
  readonly stores: { readonly shopperReference: string | null } | null;
};

const amount = z.object({ value: z.int(), currency: z.string() });

const action = z.object({
  type: z.string(),
  method: z.string().optional(),
  url: z.string().optional(),
  data: z.record(z.string(), z.string()).optional(),
  reference: z.string().optional(),
  qrCodeData: z.string().optional(),
  expiresAt: z.string().optional().catch(undefined),
  entity: z.string().optional(),
  downloadUrl: z.string().optional(),
  instructionsUrl: z.string().optional(),
});

type Action = z.output<typeof action>;

/** Unexpected values in `additionalData` are no reason to doubt the payment. */
const extra = z
  .record(z.string(), z.unknown())
  .transform((given) =>
    Object.fromEntries(
      Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  );

const payment = z.object({
  resultCode: z.string(),
  pspReference: z.string().min(1).optional(),
  amount: amount.optional(),
  action: action.optional().catch(undefined),
  refusalReason: z.string().optional().catch(undefined),
  refusalReasonCode: z.string().optional().catch(undefined),
  additionalData: extra.optional().catch(undefined),
  paymentMethod: z.object({ brand: z.string().optional() }).optional().catch(undefined),
});

type Payment = z.output<typeof payment>;
type Extra = NonNullable<Payment['additionalData']>;

const returned = z.object({ merchantReference: z.string().min(1) });

/** Returns our key of the payment that an answer of `/payments/details` is about. Null if the answer names none. */
export const paymentNamedIn = (given: unknown): string | null =>
  returned.safeParse(given).data?.merchantReference.toLowerCase() ?? null;

const UNREADABLE: Outcome = { kind: 'unknown', cause: 'unreadable' };

/**
 * Maps the answer of `/payments` or `/payments/details` to an outcome. An undocumented answer is `unknown`, never a
 * refusal.
 */
export function outcomeOfPayment(given: unknown, asked: Asked): Outcome {
  const parsed = payment.safeParse(given);
  if (!parsed.success) return UNREADABLE;
  const answer = parsed.data;
  const words = wordsOf(answer);
  switch (answer.resultCode) {
    case 'Authorised':
      return succeeded(answer, asked);
    case 'PartiallyAuthorised':
      // No request allows a part, and the amount may stand in the additional data alone. So the amount proves nothing.
      return UNREADABLE;
    case 'Refused':
      return refused(
        answer,
        refusalOf({
          ...{ code: answer.refusalReasonCode, words: answer.refusalReason },
          issuerWords: answer.additionalData?.['refusalReasonRaw'] ?? answer.refusalReason,
        }),
      );
    case 'Cancelled':
      return refused(answer, cancellationOf(answer.refusalReasonCode));
    case 'Error': {
      const refusal = errorResultOf(answer.refusalReasonCode);
      return refusal ? refused(answer, refusal) : { kind: 'unknown', cause: 'server_error' };
    }
    case 'Pending':
    case 'Received':
      return {
        ...{ kind: 'accepted', reference: referenceOf(answer, asked) },
        ...{ ...codeOf(answer.action), ...debitOf(answer), ...words },
      };
    case 'RedirectShopper':
    case 'PresentToShopper': {
      const awaits = awaitsOf(answer);
      return awaits
        ? { kind: 'accepted', reference: referenceOf(answer, asked), ...awaits, ...words }
        : UNREADABLE;
    }
    default:
      return UNREADABLE;
  }
}

/** Our key stands in for the id of a payment that has none yet. Adyen gives an id only after the buyer's return. */
const referenceOf = ({ pspReference }: Payment, { reference, key }: Asked): string =>
  pspReference ?? reference ?? key;

function succeeded(answer: Payment, asked: Asked): Outcome {
  const money = answer.amount ? moneyFromWire(answer.amount) : asked.money;
  if (answer.pspReference === undefined || money === null) return UNREADABLE;
  return {
    ...{ kind: 'succeeded', reference: answer.pspReference, money },
    ...wordsOf(answer),
    ...knownOf(answer.additionalData, asked),
  };
}

const refused = (answer: Payment, { kind, errorCode }: Refusal): Outcome => ({
  ...{ kind, reference: answer.pspReference ?? null, errorCode },
  ...wordsOf(answer),
});

function wordsOf(answer: Payment): ProviderWords {
  const { resultCode, refusalReason, refusalReasonCode, additionalData: data = {}, paymentMethod } = answer;
  const card = cardOf(data, paymentMethod?.brand);
  return {
    rawResponseCode: refusalReasonCode ?? resultCode,
    rawResponseDescription: data['refusalReasonRaw'] ?? refusalReason ?? null,
    authResponseCode: data['authCode'] ?? null,
    networkResponseCode: responseCodeOf(data['refusalReasonRaw'] ?? refusalReason),
    avsResponseCode: avsOf(data['avsResult']),
    cvvResponseCode: cvcOf(data['cvcResult']),
    cardCountry: data['cardIssuingCountry'] ?? data['issuerCountry'] ?? null,
    merchantAdviceCode: adviceOf(data['merchantAdviceCode']),
    ...(card && { card }),
  };
}

function knownOf(data: Extra | undefined, { stores }: Asked): Known {
  const scheme = data?.['networkTxReference'];
  const token = stores && tokenOf(data ?? {}, stores.shopperReference);
  return {
    ...(scheme !== undefined && { schemeTransactionId: scheme }),
    ...(token !== null && { recurringToken: token }),
  };
}

/** Returns the buyer's next step. Null for a step that no browser can take. */
function awaitsOf({ action: next, resultCode }: Payment): Awaits | null {
  if (!next) return null;
  if (next.type === 'qrCode') return codeOf(next);
  if (resultCode === 'PresentToShopper') return voucherOf(next);
  if (next.type !== 'redirect' || next.url === undefined) return null;
  const { method = 'GET', url, data } = next;
  if (method === 'GET') return { approvalUrl: url };
  return method === 'POST' ? { approvalUrl: url, approvalForm: data ?? {} } : null;
}

/** Returns the code that the buyer's app reads, and the address that opens the app. Null for an action without both. */
function codeOf(next: Action | undefined): Awaits | null {
  if (next?.type !== 'qrCode') return null;
  const { qrCodeData: qrCode, url: given } = next;
  // An app may have a protocol of its own, which is no address of a page.
  const approvalUrl = given?.startsWith('https://') ? given : undefined;
  if (qrCode === undefined && approvalUrl === undefined) return null;
  return {
    ...(qrCode !== undefined && { qrCode }),
    ...(approvalUrl !== undefined && { approvalUrl }),
    ...endOf(next),
  };
}

/** Returns the end of a code or a voucher. A moment without an offset from UTC names no moment. */
function endOf({ expiresAt = '' }: Action): Pick<Awaits, 'expiresAt'> {
  const moment = /T.*(?:Z|[+-]\d\d:?\d\d)$/.test(expiresAt) ? new Date(expiresAt) : null;
  return moment && !Number.isNaN(moment.getTime()) ? { expiresAt: moment } : {};
}

/** Returns the reference of a voucher, and the page about it. Multibanco's reference has the entity before it. */
function voucherOf(next: Action): Awaits | null {
  const { entity, reference, downloadUrl, instructionsUrl } = next;
  const approvalUrl = downloadUrl ?? instructionsUrl;
  if (reference === undefined) return null;
  return {
    paymentReference: entity === undefined ? reference : `${entity} ${reference}`,
    ...(approvalUrl !== undefined && { approvalUrl }),
    ...endOf(next),
  };
}

/** Returns the mandate that Adyen made for a direct debit, which the payer must learn. */
const debitOf = ({ additionalData: data }: Payment): Awaits => {
  const mandate = data?.['sepadirectdebit.mandateId'];
  return mandate === undefined
    ? {}
    : { debit: { debitsOn: null, creditorId: null, mandateReference: mandate } };
};

const modification = z.object({
  status: z.literal('received'),
  pspReference: z.string().min(1),
  amount: amount.optional(),
});

/**
 * Maps the answer of a capture, a refund, a cancel or a change of the amount. Adyen has only received the request. A
 * webhook brings the decision. An answer about another amount is `unknown`.
 */
export function outcomeOfModification(given: unknown, money: Money): Outcome {
  const parsed = modification.safeParse(given);
  if (!parsed.success) return UNREADABLE;
  const { status, pspReference: reference, amount: answered } = parsed.data;
  const confirmed = answered && moneyFromWire(answered);
  if (confirmed === null || (confirmed && !sameMoney(confirmed, money))) return UNREADABLE;
  return { kind: 'accepted', reference, rawResponseCode: status, rawResponseDescription: null };
}

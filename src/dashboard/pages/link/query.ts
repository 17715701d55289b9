import { api } from '../../app/api.ts';

const PAYMENT = {
  ...{
    id: true,
    status: true,
    amount: true,
    currency: true,
    capturedAmount: true,
    pendingReview: true,
    refundedAmount: true,
  },
  ...{ createdAt: true },
} as const;

const BUYER = { id: true, displayName: true } as const;

/** The parts of a link that need scopes of their own. */
export type Readable = { readonly buyers: boolean; readonly payments: boolean };

const linkOf = ({ buyers, payments }: Readable) =>
  ({
    ...{ id: true, url: true, status: true, amount: true, currency: true, country: true, intent: true },
    ...{ store: true, externalIdentifier: true, merchantMessage: true, returnUrl: true },
    ...{ offersReceipt: true, receiptRequestedAt: true, expiresAt: true, createdAt: true },
    // Without the scope a part is absent.
    buyerRecord: (buyers && BUYER) as typeof BUYER,
    transactions: (payments && [{ first: 20 }, PAYMENT]) as readonly [{ first: number }, typeof PAYMENT],
  }) as const;

/** Reads a payment link with its latest payments. Null without such a link. */
export const readLink = async (id: string, readable: Readable, signal: AbortSignal) =>
  (await api.query({ paymentLink: [{ id }, linkOf(readable)] }, { signal })).paymentLink;

/** A link of the page. */
export type PaymentLink = NonNullable<Awaited<ReturnType<typeof readLink>>>;

/** Expires a link. */
export async function expireLink(id: string): Promise<void> {
  await api.mutate({ expirePaymentLink: [{ id }, { paymentLink: { id: true } }] });
}

import type { PaymentLinkStatus } from '../../../client/generated/schema.ts';
import { api } from '../../app/data/api.ts';
import { pillOf } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import { PAYMENT_LINE } from '../payments/lines.tsx';

/** The state of a payment link. */
export const LinkState = pillOf<PaymentLinkStatus>(texts.links.status, {
  ...{ ACTIVE: 'info', PROCESSING: 'wait', COMPLETED: 'good', EXPIRED: 'calm' },
});

const BUYER = { id: true, displayName: true } as const;

const PAYMENTS = [{ first: 20 }, PAYMENT_LINE] as const;

/** The parts of a link that need scopes of their own. */
export type Readable = { readonly buyers: boolean; readonly payments: boolean };

const linkOf = ({ buyers, payments }: Readable) =>
  ({
    ...{ id: true, url: true, status: true, amount: true, currency: true, country: true, intent: true },
    ...{ store: true, externalIdentifier: true, merchantMessage: true, returnUrl: true },
    ...{ offersReceipt: true, receiptRequestedAt: true, expiresAt: true, createdAt: true },
    // Without the scope a part is absent.
    buyerRecord: (buyers && BUYER) as typeof BUYER,
    transactions: (payments && PAYMENTS) as typeof PAYMENTS,
  }) as const;

/** Reads a payment link with its latest payments. Null without such a link. */
export const readLink = async (id: string, readable: Readable, signal: AbortSignal) =>
  (await api.query({ paymentLink: [{ id }, linkOf(readable)] }, { signal })).paymentLink;

/** A link of the page. */
export type PaymentLink = NonNullable<Awaited<ReturnType<typeof readLink>>>;

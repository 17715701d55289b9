import { api } from '../../app/data/api.ts';
import { PAYMENT_LINE } from '../payments/lines.tsx';

const METHOD = {
  ...{ id: true, method: true, scheme: true, lastFour: true, expirationDate: true, status: true },
  usageCount: true,
} as const;

const GIFT_CARD = { id: true, lastFour: true, balance: true, currency: true } as const;

const ADDRESS = {
  ...{ organization: true, line1: true, line2: true, houseNumberOrName: true, postalCode: true },
  ...{ city: true, state: true, country: true },
} as const;

const PAYMENTS = [{ first: 20 }, { nodes: PAYMENT_LINE }] as const;

/** The parts of a buyer that need scopes of their own. */
export type Readable = {
  readonly methods: boolean;
  readonly giftCards: boolean;
  readonly payments: boolean;
};

const buyerOf = ({ methods, giftCards, payments }: Readable) =>
  ({
    ...{ id: true, displayName: true, externalIdentifier: true, accountNumber: true, createdAt: true },
    billingDetails: {
      ...{ firstName: true, lastName: true, emailAddress: true, phoneNumber: true },
      address: ADDRESS,
      taxId: { value: true, kind: true },
    },
    // Without the scope a part is absent.
    paymentMethods: (methods && METHOD) as typeof METHOD,
    giftCards: (giftCards && GIFT_CARD) as typeof GIFT_CARD,
    transactions: (payments && PAYMENTS) as typeof PAYMENTS,
  }) as const;

/** Reads a buyer with the latest payments. Null without such a buyer. */
export const readBuyer = async (id: string, readable: Readable, signal: AbortSignal) =>
  (await api.query({ buyer: [{ id }, buyerOf(readable)] }, { signal })).buyer;

/** A buyer of the page. */
export type Buyer = NonNullable<Awaited<ReturnType<typeof readBuyer>>>;
export type Method = Buyer['paymentMethods'][number];

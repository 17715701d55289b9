import { api } from '../../app/data/api.ts';
import { PAYMENT_LINE } from '../payments/lines.tsx';

const MONEY = { amount: true, currency: true } as const;

const ENTRY = {
  ...{ id: true, kind: true, gross: true, currency: true, settledOn: true, operationId: true },
  ...{ paymentServiceSettlementId: true, originalAmount: true, originalCurrency: true },
} as const;

const SETTLEMENT = { entries: [{ first: 50 }, ENTRY] } as const;

const differenceOf = (withSettlements: boolean) =>
  ({
    ...{ id: true, finding: true, source: true, state: true, operationKind: true, reason: true },
    ...{ paymentServiceReference: true, adoptable: true, foundAt: true, endedAt: true },
    reported: MONEY,
    paymentService: { displayName: true },
    operation: {
      ...{ id: true, kind: true, amount: true, currency: true, status: true, createdAt: true },
      ...{ settledAt: true, paymentServiceReference: true },
    },
    adoption: { booked: MONEY, capturable: MONEY, refundable: MONEY },
    transaction: {
      ...PAYMENT_LINE,
      ...{ authorizedAmount: true, externalIdentifier: true },
      ...{ capturable: MONEY, refundable: MONEY },
      // Without the scope the settlement is absent.
      settlement: (withSettlements && SETTLEMENT) as typeof SETTLEMENT,
    },
  }) as const;

/** Reads a difference with its payment, and the effect of its adoption. Null without such a difference. */
export const readDifference = async (id: string, withSettlements: boolean, signal: AbortSignal) =>
  (await api.query({ difference: [{ id }, differenceOf(withSettlements)] }, { signal })).difference;

/** A difference of the page. */
export type FoundDifference = NonNullable<Awaited<ReturnType<typeof readDifference>>>;

import { api } from '../../app/api.ts';

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
      ...{ id: true, status: true, amount: true, currency: true, pendingReview: true, createdAt: true },
      ...{ authorizedAmount: true, capturedAmount: true, refundedAmount: true, externalIdentifier: true },
      ...{ capturable: MONEY, refundable: MONEY },
      // Without the scope the settlement is absent.
      settlement: (withSettlements && SETTLEMENT) as typeof SETTLEMENT,
    },
  }) as const;

/** Reads a difference with its payment, and the effect of its adoption. Null without such a difference. */
export const readDifference = async (id: string, withSettlements: boolean, signal: AbortSignal) =>
  (await api.query({ difference: [{ id }, differenceOf(withSettlements)] }, { signal })).difference;

/** A difference of the page. */
export type Difference = NonNullable<Awaited<ReturnType<typeof readDifference>>>;

/** Reads the newest changes of a payment. They hold the reports of the provider. */
export async function readHistory(id: string, signal: AbortSignal) {
  const { transaction } = await api.query(
    {
      transaction: [
        { id },
        { events: [{ first: 100 }, { nodes: { id: true, name: true, createdAt: true, context: true } }] },
      ],
    },
    { signal },
  );
  return transaction?.events.nodes ?? [];
}

/** Books the report, or takes note of a booked one. A repeat changes nothing. */
export async function adopt(id: string): Promise<void> {
  await api.mutate({ adoptDifference: [{ id }, { difference: { id: true } }] });
}

/** Ends a difference without a booking. A repeat changes nothing. */
export async function dismiss(id: string, reason: string): Promise<void> {
  await api.mutate({ dismissDifference: [{ id, reason }, { difference: { id: true } }] });
}

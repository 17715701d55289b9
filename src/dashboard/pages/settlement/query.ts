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
  ...{ createdAt: true, externalIdentifier: true },
} as const;

const DISPUTE = {
  ...{ id: true, status: true, reason: true, amount: true, currency: true, respondBy: true },
} as const;

/** The parts of an entry that need scopes of their own. */
export type Readable = { readonly payments: boolean; readonly disputes: boolean };

const entryOf = ({ payments, disputes }: Readable) =>
  ({
    ...{ id: true, kind: true, gross: true, fee: true, net: true, currency: true, settledOn: true },
    ...{ originalAmount: true, originalCurrency: true, exchangeRate: true, createdAt: true },
    ...{
      paymentServiceKind: true,
      reportLine: true,
      paymentServiceSettlementId: true,
      paymentServicePayoutId: true,
    },
    paymentService: { displayName: true },
    difference: { reason: true, explanation: true, explainedAt: true, nextMatchAt: true },
    operation: { kind: true, amount: true, currency: true, status: true },
    // Without the scope a part is absent.
    transaction: (payments && PAYMENT) as typeof PAYMENT,
    dispute: (disputes && DISPUTE) as typeof DISPUTE,
  }) as const;

/** Reads an entry with its operation. Null without such an entry. */
export const readEntry = async (id: string, readable: Readable, signal: AbortSignal) =>
  (await api.query({ settlement: [{ id }, entryOf(readable)] }, { signal })).settlement;

/** An entry of the page. */
export type Entry = NonNullable<Awaited<ReturnType<typeof readEntry>>>;

/** Keeps the explanation of a difference. Another one replaces it. */
export async function explain(id: string, reason: string): Promise<void> {
  await api.mutate({ explainSettlementDifference: [{ id, reason }, { difference: { id: true } }] });
}

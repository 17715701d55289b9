import { api } from '../../app/data/api.ts';
import { DISPUTE_LINE } from '../disputes/lines.tsx';
import { PAYMENT_LINE } from '../payments/lines.tsx';

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
    transaction: (payments && PAYMENT_LINE) as typeof PAYMENT_LINE,
    dispute: (disputes && DISPUTE_LINE) as typeof DISPUTE_LINE,
  }) as const;

/** Reads an entry with its operation. Null without such an entry. */
export const readEntry = async (id: string, readable: Readable, signal: AbortSignal) =>
  (await api.query({ settlement: [{ id }, entryOf(readable)] }, { signal })).settlement;

/** An entry of the page. */
export type Entry = NonNullable<Awaited<ReturnType<typeof readEntry>>>;

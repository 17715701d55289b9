import type { EventChange, HistoryChange, State } from '../settle/changes.ts';
import { eventTargets } from '../settle/outcome-records.ts';
import type { TakeBackGiven, TakenBack } from './take-back-changes.ts';

// This file makes the events and the history entry of a success that a provider took back. The parameter `after` is the
// state after the change.

type Booked = { readonly amount: number; readonly given: TakeBackGiven };
type Records = { readonly events: readonly EventChange[]; readonly history: HistoryChange };

/** Describes the payment after a change that the provider made by itself. */
const changeOfProvider = (after: State) => ({
  ...eventTargets.transaction(after),
  origin: 'provider' as const,
});

/** Makes the records of a reversal. A sale has no capture record of its own, so only its transaction has an event. */
export function reversalRecords(
  after: State,
  reported: Extract<TakenBack, { readonly kind: 'reversed' }>,
  { amount, given }: Booked,
): Records {
  const { kind } = after.operation;
  const [first, second] = given.eventIds;
  const ofTransaction = (id: string): EventChange => ({
    ...{ id, name: 'transaction.capture-reversed', target: changeOfProvider(after) },
  });
  const events: Readonly<Record<string, readonly EventChange[]>> = {
    authorize: [ofTransaction(first)],
    capture: [
      { id: first, name: 'capture.reversed', target: eventTargets.capture(after) },
      ofTransaction(second),
    ],
    refund: [{ id: first, name: 'refund.reversed', target: eventTargets.refund(after) }],
  };
  return {
    events: events[kind] ?? [],
    history: {
      id: given.historyId,
      name: `payment-connector-${kind === 'refund' ? 'refund' : 'capture'}-reversed`,
      context: {
        ...contextOf(after, reported, amount),
        reversed_amount: after.operation.reversedAmount,
        code: reported.errorCode,
      },
    },
  };
}

/** Makes the records of an expiry. `amount` is the released rest. */
export const expiryRecords = (after: State, reported: TakenBack, { amount, given }: Booked): Records => ({
  events: [{ id: given.eventIds[0], name: 'transaction.expired', target: changeOfProvider(after) }],
  history: {
    id: given.historyId,
    name: 'payment-connector-authorization-expired',
    context: contextOf(after, reported, amount),
  },
});

const contextOf = (
  { transaction, operation, service }: State,
  { rawResponseCode, rawResponseDescription }: TakenBack,
  amount: number,
) => ({
  operation_id: operation.id,
  amount,
  currency: operation.currency,
  payment_service_id: service.id,
  payment_service_display_name: service.displayName,
  payment_service_definition_id: service.definitionId,
  payment_service_reference: operation.providerReference,
  payment_service_transaction_id: transaction.paymentServiceTransactionId,
  status: operation.status,
  instrument_type: transaction.instrumentType,
  payment_method_scheme: transaction.cardScheme,
  raw_response_code: rawResponseCode,
  raw_response_description: rawResponseDescription,
});

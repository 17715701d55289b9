import { describe, expect, it } from '@jest/globals';
import {
  SETTLED_OPERATION_COLUMNS,
  SETTLED_TRANSACTION_COLUMNS,
  type Changes,
} from '../../src/modules/transactions/settle/changes.ts';
import { lifecycle, type TransactionStatus } from '../../src/modules/transactions/model/transaction.ts';
import { settleChanges } from '../../src/modules/transactions/settle/settle-rules.ts';
import {
  decide,
  GIVEN,
  NOW,
  outcomeOf,
  outcomesOfAllStates,
  SENT_AT,
  stateOf,
  type Case,
} from './outcomes.ts';

const cases = outcomesOfAllStates();
const written = cases.filter((one): one is Case & { readonly changes: Changes } => one.changes !== null);

const describeCase = ({ state: { operation, transaction }, outcome }: Case): string =>
  `${transaction.status}: ${operation.kind} ${outcome}`;

/** Fails with the first case that breaks a rule. */
const holds = <One extends Case>(all: readonly One[], rule: (one: One) => boolean): void => {
  const broken = all.find((one) => !rule(one));
  expect(broken && describeCase(broken)).toBeUndefined();
};

describe('outcomes in all states', () => {
  it('are many', () => {
    expect(cases.length).toBeGreaterThan(10_000);
    expect(written.length).toBeGreaterThan(5_000);
  });

  it('move a status only along an edge of the lifecycle', () => {
    holds(written, ({ state, changes }) => {
      const { status } = state.transaction;
      const ways: readonly (TransactionStatus | undefined)[] = Object.values(lifecycle[status]);
      return changes.transaction.status === status || ways.includes(changes.transaction.status);
    });
  });

  it('end the operation once, or accept it once', () => {
    holds(written, ({ outcome, changes, state }) =>
      outcome === 'accepted'
        ? changes.operation.status === 'pending' && changes.operation.acceptedAt === NOW
        : changes.operation.status !== 'pending' &&
          changes.operation.acceptedAt === state.operation.acceptedAt,
    );
    for (const { state, outcome, changes } of written) {
      const after = {
        ...state,
        transaction: { ...state.transaction, ...changes.transaction },
        operation: { ...state.operation, ...changes.operation },
      };
      expect(decide(after, outcome)).toBeNull();
    }
  });

  it('write an amount into the ledger only when they succeed, and then the amount of the operation', () => {
    holds(written, ({ outcome, changes, state }) =>
      outcome === 'succeeded'
        ? changes.ledger.every(({ amount }) => amount === state.operation.amount)
        : changes.ledger.length === 0,
    );
  });

  it('change the transaction’s amounts and the ledger by the same sum', () => {
    holds(written, ({ state: { transaction, operation }, changes: { transaction: patch, ledger } }) => {
      const moved = (kind: string) =>
        ledger.filter((entry) => entry.kind === kind).reduce((sum, { amount }) => sum + amount, 0);
      if (operation.kind === 'authorize') {
        return patch.authorizedAmount === undefined
          ? ledger.length === 0
          : patch.authorizedAmount === moved('authorize') && patch.capturedAmount === moved('capture');
      }
      const captured = (patch.capturedAmount ?? transaction.capturedAmount) - transaction.capturedAmount;
      const refunded = (patch.refundedAmount ?? transaction.refundedAmount) - transaction.refundedAmount;
      return captured === moved('capture') && refunded === moved('refund');
    });
  });

  it('free the reserved amount at the end of the operation, not before', () => {
    holds(written, ({ state: { transaction, operation }, changes: { transaction: patch }, outcome }) => {
      const { kind, amount, redemptionId } = operation;
      const ends = outcome !== 'accepted';
      const capture = ends && kind === 'capture' ? amount : 0;
      const refund = ends && kind === 'refund' && redemptionId === null ? amount : 0;
      const capturing = patch.capturePendingAmount ?? transaction.capturePendingAmount;
      const refunding = patch.refundPendingAmount ?? transaction.refundPendingAmount;
      return (
        capturing === transaction.capturePendingAmount - capture &&
        refunding === transaction.refundPendingAmount - refund &&
        (!ends || (kind !== 'void' && kind !== 'cancel') || patch.voidPending === false)
      );
    });
  });

  it('count pending captures up and down', () => {
    holds(written, ({ state: { transaction, operation }, changes: { transaction: patch }, outcome }) => {
      const isCapture = operation.kind === 'capture';
      const change = outcome === 'accepted' ? 1 : operation.acceptedAt === null ? 0 : -1;
      const counted = patch.capturesAccepted ?? transaction.capturesAccepted;
      return counted === transaction.capturesAccepted + (isCapture ? change : 0);
    });
  });

  it('write only the columns that the statement sends', () => {
    const columns: readonly string[] = SETTLED_TRANSACTION_COLUMNS;
    holds(written, ({ changes }) =>
      Object.keys(changes.transaction).every((field) => columns.includes(field)),
    );
    holds(
      written,
      ({ changes }) =>
        Object.keys(changes.operation).toSorted().join() === SETTLED_OPERATION_COLUMNS.toSorted().join(),
    );
    holds(written, ({ changes }) =>
      Object.values<unknown>(changes.transaction).every((value) => value !== undefined),
    );
  });

  it('use each given id once', () => {
    holds(written, ({ changes }) => {
      const ids = [...changes.ledger, ...changes.events, changes.history].map(({ id }) => id);
      return new Set(ids).size === ids.length;
    });
  });

  it('reverse gift cards exactly when the payment has ended without success', () => {
    const inVain = ['authorization_declined', 'authorization_failed', 'authorization_voided'];
    holds(written, ({ changes, state }) => {
      const { kind } = state.operation;
      const ends =
        inVain.includes(changes.transaction.status ?? '') && changes.operation.status !== 'pending';
      const couldEnd =
        kind === 'authorize' || ((kind === 'void' || kind === 'cancel') && changes.outcome === 'succeeded');
      return (
        changes.effects.givesUpRedemptions === (ends && couldEnd && state.transaction.giftCardAmount > 0)
      );
    });
  });
});

describe('a decline', () => {
  it.each(['declined', 'failed'] as const)('%s of an earlier sending changes nothing', (outcome) => {
    const earlier = { ...GIVEN, sentAt: new Date(SENT_AT.getTime() - 1) };
    expect(decide(stateOf({}), outcome, earlier)).toBeNull();
    expect(decide(stateOf({}), outcome)?.ofSending).toEqual(SENT_AT);
  });

  it('reopens a payment that its capture was to close', () => {
    expect(decide(stateOf({ final: true }), 'declined')?.transaction.captureClosed).toBe(false);
    expect(decide(stateOf({ final: false }), 'declined')?.transaction.captureClosed).toBe(true);
  });
});

describe('a success', () => {
  it('counts for every sending', () => {
    const earlier = { ...GIVEN, sentAt: new Date(SENT_AT.getTime() - 1) };
    expect(decide(stateOf({}), 'succeeded', earlier)).toMatchObject({
      outcome: 'succeeded',
      ofSending: null,
    });
  });

  it('of a capture writes this', () => {
    expect(decide(stateOf({}), 'succeeded')).toMatchObject({
      transaction: {
        status: 'capture_succeeded',
        capturePendingAmount: 400,
        capturedAmount: 400,
        capturedAt: NOW,
      },
      operation: { status: 'succeeded', providerReference: 'said', errorCode: null, settledAt: NOW },
      ledger: [{ id: 'ledger a', kind: 'capture', amount: 400 }],
      events: [
        {
          id: 'event a',
          name: 'capture.succeeded',
          target: { type: 'capture', status: 'succeeded', amount: 400 },
        },
        {
          id: 'event b',
          name: 'transaction.captured',
          target: { captured_amount: 400, status: 'capture_succeeded' },
        },
      ],
      history: { name: 'payment-connector-response-transaction-capture-succeeded' },
    });
  });

  it('of a sale authorises and captures', () => {
    const sale = stateOf({ kind: 'authorize' }, { intent: 'capture', status: 'processing' });
    expect(decide(sale, 'succeeded')?.ledger).toEqual([
      { id: 'ledger a', kind: 'authorize', amount: 400 },
      { id: 'ledger b', kind: 'capture', amount: 400 },
    ]);
  });

  it('of a cancel after the capture is a failure', () => {
    const late = decide(stateOf({ kind: 'cancel' }, { status: 'capture_succeeded' }), 'succeeded');
    expect(late).toMatchObject({
      outcome: 'failed',
      operation: { status: 'failed', errorCode: 'unexpected_state' },
      transaction: { status: 'capture_succeeded', voidPending: false },
      ledger: [],
    });
  });

  it.each(['succeeded', 'declined', 'failed'] as const)('keeps the codes of the network: %s', (kind) => {
    const codes = { authResponseCode: '067563', networkResponseCode: '51', merchantAdviceCode: '02' };
    const outcome = { ...outcomeOf(kind), ...codes };

    expect(
      settleChanges(stateOf({ kind: 'authorize' }, { status: 'processing' }), outcome, GIVEN)?.operation,
    ).toMatchObject(codes);
    expect(
      settleChanges(stateOf({ kind: 'authorize' }, { status: 'processing' }), outcomeOf(kind), GIVEN)
        ?.operation,
    ).toMatchObject({
      authResponseCode: null,
      networkResponseCode: null,
      merchantAdviceCode: null,
    });
  });
});

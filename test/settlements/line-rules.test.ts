import { describe, expect, it } from '@jest/globals';
import type { SettlementLine } from '../../src/modules/settlements/index.ts';
import { decideLine } from '../../src/modules/transactions/lines/line-rules.ts';
import type { Operation } from '../../src/modules/transactions/model/operation.ts';
import type { Transaction } from '../../src/modules/transactions/model/transaction.ts';
import { NOW, operationOf, transactionOf } from '../transactions/outcomes.ts';

const MINUTE_MS = 60_000;

const lineOf = (given: Partial<SettlementLine> = {}): SettlementLine => ({
  ...{ merchantAccountId: 'default', id: 's1', paymentServiceId: 'ps1', reference: 'st_1', kind: 'charge' },
  ...{ providerKind: null, line: null, key: null, operationReference: 'ch_1', paymentReference: 'pay_1' },
  ...{ disputeReference: null, payoutReference: null, captureReference: null, isPart: false },
  ...{
    capturedTotal: null,
    gross: 900,
    fee: 0,
    net: 900,
    currency: 'EUR',
    original: null,
    exchangeRate: null,
  },
  ...{
    settledOn: '2026-05-01',
    transactionId: 't1',
    operationId: null,
    disputeId: null,
    ledgerEntryId: null,
  },
  ...{ difference: 'operation_not_succeeded', explanation: null, explainedAt: null, rematchAt: null },
  ...{ tellAt: NOW, createdAt: NOW, updatedAt: NOW },
  ...given,
});

const decide = (
  line: Partial<SettlementLine>,
  operations: readonly Partial<Operation>[] = [],
  transaction: Partial<Transaction> = {},
) =>
  decideLine(
    lineOf(line),
    {
      operations: operations.map((given) =>
        operationOf({ paymentServiceId: 'ps1', providerKey: null, ...given }),
      ),
      transaction: transactionOf({
        ...{ currency: 'EUR', intent: 'authorize', paymentServiceId: 'ps1', capturedAmount: 0 },
        ...{ captureReversedAmount: 0, paymentServiceTransactionId: 'pay_1', ...transaction },
      }),
    },
    NOW,
  );

const pending = { kind: 'capture', status: 'pending', id: 'o1', providerReference: null } as const;
const anHourAgo = { createdAt: new Date(NOW.getTime() - 60 * MINUTE_MS) };
const succeeded = { kind: 'capture', status: 'succeeded', id: 'o1' } as const;

describe('a line', () => {
  it.each<readonly [string, Partial<SettlementLine>, readonly Partial<Operation>[], unknown]>([
    ['that fits tells nothing', { difference: null }, [], { kind: 'fits' }],
    ['of a booked capture is known', {}, [{ ...succeeded, providerReference: 'ch_1' }], { kind: 'known' }],
    [
      'of one of several captures is known',
      {},
      [{ ...succeeded, providerReference: 'ch_1:900' }],
      { kind: 'known' },
    ],
    ['waits for an operation under way', {}, [pending], { kind: 'waits', asks: 'capture' }],
    ['waits for an hour', anHourAgo, [pending], { kind: 'notice' }],
    ['waits for its own kind alone', {}, [{ ...pending, kind: 'refund' }], { kind: 'notice' }],
    ['with our key waits for that operation', { key: 'o1' }, [pending], { kind: 'waits', asks: 'capture' }],
    [
      'above every amount',
      { gross: 1_000_000_000 },
      [],
      { kind: 'unsure', finding: 'too_large', made: null },
    ],
    ['of nothing', { gross: 0 }, [], { kind: 'unsure', finding: 'unknown_amount', made: null }],
    ['of a part', { isPart: true }, [], { kind: 'unsure', finding: 'unknown_operation', made: null }],
    [
      'without an id',
      { operationReference: null },
      [],
      { kind: 'unsure', made: { kind: 'capture', money: { amount: 900 } } },
    ],
    [
      'of a second reversal',
      { kind: 'reversal', gross: -100 },
      [{ ...succeeded, providerReference: 'ch_1', reversedAmount: 100 }],
      { kind: 'unsure', finding: 'possible_repeat', made: null },
    ],
  ])('%s', (_, line, operations, expected) => {
    expect(decide(line, operations)).toMatchObject(expected as object);
  });

  it('has the money before a conversion, and names the payment in place of a copied key', () => {
    const original = { amount: 1000, currency: 'EUR' };
    const own = { kind: 'authorize', status: 'succeeded', id: 'o1' } as const;
    expect(decide({ key: 'o1', original, currency: 'USD' }, [own])).toEqual({
      kind: 'notice',
      notice: {
        ...{ eventKey: 'settlement:st_1', occurredAt: null, verb: 'capture', key: null, reference: 'ch_1' },
        ...{ paymentReference: 'pay_1', captureReference: null },
        outcome: { kind: 'succeeded', money: original, rawResponseCode: null, rawResponseDescription: null },
      },
    });
  });

  it('has the copied key if another payment service has the payment', () => {
    const own = { kind: 'authorize', status: 'succeeded', id: 'o1' } as const;
    expect(decide({ key: 'o1' }, [own], { paymentServiceId: 'ps2' })).toMatchObject({
      notice: { key: 'o1' },
    });
    expect(decide({}, [own], { paymentServiceId: 'ps2' })).toMatchObject({ finding: 'unknown_operation' });
  });

  it('of a provider without ids of captures is known by the sum of all', () => {
    const counted = { capturedAmount: 700, captureReversedAmount: 200 };
    expect(decide({ capturedTotal: 900 }, [], counted)).toEqual({ kind: 'known' });
    expect(decide({ capturedTotal: 1900 }, [], counted)).toMatchObject({
      notice: { reference: 'ch_1:1900', total: { amount: 1900, currency: 'EUR' } },
    });
    expect(decide({ capturedTotal: 900 })).toMatchObject({
      notice: { reference: 'ch_1', total: { amount: 900, currency: 'EUR' } },
    });
  });
});

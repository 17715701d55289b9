import { describe, expect, it } from '@jest/globals';
import { refuseCombination, type Combination } from '../../src/modules/transactions/input/combinations.ts';
import type { PaymentSource } from '../../src/modules/transactions/model/transaction.ts';

/** Every combination and the refused field. A dash means that no field is refused. */
const TABLE = `
  source         merchant  subsequent  store  refused
  ecommerce      no         no          no     -
  ecommerce      no         no          yes    -
  ecommerce      no         yes         no     -
  ecommerce      no         yes         yes    -
  ecommerce      yes        no          no     merchantInitiated
  ecommerce      yes        no          yes    merchantInitiated
  ecommerce      yes        yes         no     merchantInitiated
  ecommerce      yes        yes         yes    merchantInitiated
  moto           no         no          no     -
  moto           no         no          yes    -
  moto           no         yes         no     -
  moto           no         yes         yes    -
  moto           yes        no          no     merchantInitiated
  moto           yes        no          yes    merchantInitiated
  moto           yes        yes         no     merchantInitiated
  moto           yes        yes         yes    merchantInitiated
  recurring      no         no          no     store
  recurring      no         no          yes    -
  recurring      no         yes         no     store
  recurring      no         yes         yes    -
  recurring      yes        no          no     isSubsequentPayment
  recurring      yes        no          yes    isSubsequentPayment
  recurring      yes        yes         no     -
  recurring      yes        yes         yes    -
  installment    no         no          no     store
  installment    no         no          yes    -
  installment    no         yes         no     store
  installment    no         yes         yes    -
  installment    yes        no          no     isSubsequentPayment
  installment    yes        no          yes    isSubsequentPayment
  installment    yes        yes         no     -
  installment    yes        yes         yes    -
  card_on_file   no         no          no     -
  card_on_file   no         no          yes    -
  card_on_file   no         yes         no     -
  card_on_file   no         yes         yes    -
  card_on_file   yes        no          no     -
  card_on_file   yes        no          yes    -
  card_on_file   yes        yes         no     -
  card_on_file   yes        yes         yes    -
`;

type Row = readonly [
  paymentSource: string,
  merchant: string,
  subsequent: string,
  store: string,
  field: string,
];

const rows = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/\s+/) as unknown as Row);

const combinationOf = ([source, merchant, subsequent, store]: Row): Combination => ({
  paymentSource: source as PaymentSource,
  merchantInitiated: merchant === 'yes',
  isSubsequentPayment: subsequent === 'yes',
  store: store === 'yes',
});

describe('refuseCombination', () => {
  it.each(rows)('of %s, merchant-initiated %s, subsequent %s, store %s: %s', (...row) => {
    expect(refuseCombination(combinationOf(row))?.field ?? '-').toBe(row[4]);
  });

  it('is tested with all 40 combinations, each once', () => {
    expect(new Set(rows.map((row) => JSON.stringify(combinationOf(row)))).size).toBe(40);
  });

  it.each([
    ['the first payment of a buyer', 'ecommerce', false, false, false],
    ['a payment by mail or telephone', 'moto', false, false, false],
    ['the first payment of a subscription', 'recurring', false, false, true],
    ['the first instalment', 'installment', false, false, true],
    ['a later payment of a subscription by the merchant', 'recurring', true, true, false],
    ['a later instalment by the merchant', 'installment', true, true, false],
    ['a later payment of a buyer with a card on file', 'card_on_file', false, true, false],
  ] as const)('allows %s', (_, paymentSource, merchantInitiated, isSubsequentPayment, store) => {
    expect(refuseCombination({ paymentSource, merchantInitiated, isSubsequentPayment, store })).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { braintree } from '../../../src/connectors/braintree/index.ts';
import { respondToDispute, type DisputeCall } from '../../../src/connectors/calls/call-dispute.ts';
import { describeDisputeContract } from '../dispute-contract.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../contract-faults.ts';
import { sentTo } from '../double-server.ts';
import type { BraintreeDouble } from './double.ts';
import { openStand, USD } from './stand.ts';
import { fieldsOf } from './start.ts';

/** Makes a dispute about a settled sale. */
async function disputeAt(
  double: BraintreeDouble,
  pay: () => Promise<string>,
  type = 'CHARGEBACK',
): Promise<string> {
  const reference = await pay();
  double.hands.settleAll();
  return double.hands.dispute(reference, { minor: 500, type });
}

const CHANGES = /^POST \/graphql (acceptDispute|createDispute\w+|finalizeDispute)$/;

const stand = await openStand();
const { double } = stand;
const newDispute = (type?: string) =>
  disputeAt(double, async () => (await stand.pay({ capture: true })).reference, type);

describeDisputeContract({
  connector: braintree,
  // Nobody reads the words and amounts of an answer to a response.
  faults: DOUBLE_FAULTS.filter((fault) => !/^(unknown_word|other_)/.test(fault)),
  start: async () => {
    const server = await double.listen();
    return {
      credentials: fieldsOf(double),
      via: (http) => sentTo(http, server.url),
      dispute: async (state) => {
        const id = await newDispute();
        if (state === 'closed') double.hands.decideDispute(id, 'LOST');
        return id;
      },
      failNext: (...faults) => double.failNext(doubleFaults(faults), CHANGES),
      release: () => double.release(),
      close: () => server.close(),
    };
  },
});

const respond = (disputeReference: string, changes: Partial<DisputeCall> = {}) =>
  respondToDispute(stand.connector, stand.contextWith(), pino({ level: 'silent' }), {
    ...{ key: 'key-1', disputeReference, stage: 'chargeback', paymentReference: null, evidence: null },
    ...changes,
  });

const EVIDENCE = {
  texts: [
    { kind: 'shipping', text: 'The parcel arrived.' },
    { kind: 'other', text: 'The buyer was there.' },
  ],
  files: [{ kind: 'receipt', name: 'a "receipt".pdf', format: 'pdf', content: 'JVBERi0xLjcK' }],
} as const;

describe('the evidence of a response', () => {
  it('has each text and file once, and the name of the response', async () => {
    const id = await newDispute();
    double.failNext(['lose_answer'], / finalizeDispute$/);
    expect(await respond(id, { evidence: EVIDENCE })).toEqual({ kind: 'unknown', cause: 'connection' });
    expect(await respond(id, { evidence: EVIDENCE })).toEqual({ kind: 'done' });

    expect(double.hands.evidenceOf(id)).toMatchObject({
      status: 'DISPUTED',
      texts: ['The parcel arrived.', 'The buyer was there.\n\nResponse key-1'],
      files: ['JVBERi0xLjcK'],
    });
  });

  it('is not added twice after a lost answer to a text', async () => {
    const id = await newDispute();
    double.failNext(['lose_answer'], / createDisputeTextEvidence$/);
    await respond(id, { evidence: { ...EVIDENCE, files: [] } });
    await respond(id, { evidence: { ...EVIDENCE, files: [] } });

    expect(double.hands.evidenceOf(id).texts).toHaveLength(2);
  });

  it('is refused for a dispute that another response has answered', async () => {
    const id = await newDispute();
    await respond(id, { key: 'key-0', evidence: EVIDENCE });

    expect(await respond(id, { evidence: EVIDENCE })).toEqual({
      ...{ kind: 'refused', errorCode: 'dispute_is_chargeback_disputed' },
    });
  });
});

it('a response is for the stage that the merchant saw', async () => {
  const id = await newDispute('PRE_ARBITRATION');

  expect(await respond(id)).toEqual({ kind: 'refused', errorCode: 'dispute_is_pre_arbitration_open' });
  expect(await respond(id, { stage: 'pre_arbitration' })).toEqual({ kind: 'done' });
});

it('a dispute is about the payment of its capture', async () => {
  const { reference } = await stand.pay();
  const child = stand.referenceOf(
    await stand.capture(reference, { money: { ...USD, amount: 500 }, final: false }),
  );
  double.hands.dispute(child, {
    minor: 500,
    type: 'RETRIEVAL',
    reason: 'RETRIEVAL',
  });

  expect(await stand.books(reference)).toMatchObject({
    disputes: [
      { reference: child, paymentReference: reference, dispute: { stage: 'inquiry', reason: 'general' } },
    ],
  });
});

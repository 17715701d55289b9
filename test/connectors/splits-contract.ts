import { randomUUID } from 'node:crypto';
import type { ConnectorCall } from '../../src/connectors/calls/call.ts';
import type { Definition } from '../../src/connectors/interface/definition.ts';
import type { RefundedCapture, Split } from '../../src/connectors/interface/requests.ts';
import type { Desk } from './contract-desk.ts';
import { describe, expect, it } from './runner.ts';

type Authorization = Extract<ConnectorCall, { readonly verb: 'authorize' }>;
type Refund = Extract<ConnectorCall, { readonly verb: 'refund' }>;

/** Defines the tests of payments with shares of accounts. */
export function describeSplits(desk: Desk, { supportedFeatures }: Definition): void {
  const { splits, multiple_captures, partial_refunds } = supportedFeatures;
  if (!splits) return;
  describe('splits', () => {
    describePayment(desk);
    if (multiple_captures && partial_refunds) describeRefund(desk);
  });
}

/** Returns the shares of a recipient and of the platform. */
const sharesOf = (
  desk: Desk,
  account: 'known' | 'unknown',
  amount: number,
  fee: number,
): readonly Split[] => [
  { kind: 'recipient', account: desk.recipients()[account], amount: amount - fee, reference: null },
  { kind: 'platform_fee', account: null, amount: fee, reference: null },
];

/** Asks for a payment with a fee. The recipient gets the rest. */
async function ask(desk: Desk, account: 'known' | 'unknown', fee = 1): Promise<Authorization> {
  const requested = await desk.ask('authorize', 'approve');
  if (requested.verb !== 'authorize') throw new Error('The desk asked for another verb');
  const shares = sharesOf(desk, account, requested.money.amount, fee);
  return { ...requested, splits: { inProportion: true, shares } };
}

function describePayment(desk: Desk): void {
  it('pays with the shares, and a repeat does the work once', async () => {
    const requested = await ask(desk, 'known');

    const answers = [await desk.call(requested), await desk.call(requested)];

    expect(['succeeded', 'accepted']).toContain(answers[0]?.kind);
    expect(answers[1]).toEqual(answers[0]);
    expect([new Set(desk.keys()), desk.done(requested.key)]).toEqual([new Set([requested.key]), 1]);
  });

  it('fails for sure with an account that the provider does not know', async () => {
    const requested = await ask(desk, 'unknown');

    const answers = [await desk.call(requested), await desk.call(requested)];

    expect(answers[0]).toMatchObject({ kind: 'failed', errorCode: expect.any(String) });
    expect(answers[1]).toEqual(answers[0]);
  });
}

/** Two captures with their fees, and the part of a refund that each bears. Minor units. */
const PARTS = [
  { amount: 300, fee: 30, refunded: 300, returned: 30 },
  { amount: 200, fee: 20, refunded: 100, returned: 10 },
] as const;

/** Makes the two captures. Returns them with their parts of the refund. */
async function captured(desk: Desk): Promise<Pick<Refund, 'reference' | 'captures'>> {
  const { money, done: reference } = await desk.pay(await ask(desk, 'known', 100));
  const captures: RefundedCapture[] = [];
  for (const [nth, { amount, fee, refunded, returned }] of PARTS.entries()) {
    const shares = sharesOf(desk, 'known', amount, fee);
    const { key, done } = await desk.succeed({
      ...({ verb: 'capture', key: randomUUID(), reference, money: { ...money, amount } } as const),
      ...{ final: nth === PARTS.length - 1, splits: { inProportion: true, shares } },
    });
    const parts = sharesOf(desk, 'known', refunded, returned).map((share, place) => ({
      ...share,
      capturedAmount: shares[place]?.amount ?? 0,
    }));
    captures.push({ key, reference: done, amount: refunded, shares: parts });
  }
  return { reference, captures };
}

function describeRefund(desk: Desk): void {
  it('gives back the shares of two captures, and a repeat does the work once', async () => {
    const { money } = await desk.ask('authorize', 'approve');
    const refund: Refund = {
      ...{ verb: 'refund', key: randomUUID(), money: { ...money, amount: 400 } },
      ...(await captured(desk)),
      splits: { inProportion: true, shares: sharesOf(desk, 'known', 400, 40) },
    };

    const answers = [await desk.call(refund), await desk.call(refund)];

    expect(['succeeded', 'accepted']).toContain(answers[0]?.kind);
    expect(answers[1]).toEqual(answers[0]);
    expect(desk.done(refund.key)).toBe(1);
  });
}

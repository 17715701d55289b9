import { afterAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { RefundedShare, Splits } from '../../../src/connectors/interface/requests.ts';
import { startDesk, USD } from './double-desk.ts';

const desk = await startDesk();
const { double, call, waitFor, resume } = desk;
afterAll(() => desk.close());

const splitsOf = (seller: number, fee: number): Splits => ({
  inProportion: true,
  shares: [
    { kind: 'recipient', account: 'seller@shop.example', amount: seller, reference: null },
    { kind: 'platform_fee', account: null, amount: fee, reference: null },
  ],
});

/** Returns the platform fee of a request. Null without one. */
const feeOf = ({ body = '' }: { readonly body?: string }): string | null =>
  /"platform_fees":\[\{"amount":\{[^}]*"value":"([^"]+)"/.exec(body)?.[1] ?? null;

/** Returns the platform fee of the last request to a path. Null without one. */
const feeSentTo = (path: RegExp): string | null =>
  feeOf(double.requests.filter((each) => path.test(each.path)).at(-1) ?? {});

/** Shares of a capture with the parts that a refund takes of them. */
const partsOf = (seller: number, fee: number, captured: Splits): readonly RefundedShare[] =>
  splitsOf(seller, fee).shares.map((share, place) => ({
    ...share,
    capturedAmount: captured.shares[place]?.amount ?? 0,
  }));

it('captures keep the fee of the platform, and a refund of two captures gives back the fee of each', async () => {
  const waiting = await waitFor({ splits: splitsOf(989, 110) });
  double.hands.decide(waiting.reference, 'approve');
  expect(await resume(waiting)).toMatchObject({ kind: 'succeeded' });
  const { reference } = waiting;
  const captureOf = async (amount: number, splits: Splits, final: boolean) => {
    const key = randomUUID();
    const made = await call({ verb: 'capture', key, reference, money: USD(amount), final, splits });
    if (made.kind !== 'succeeded') throw new Error(`The capture was ${made.kind}`);
    return { key, reference: made.reference };
  };
  const [ofFirst, ofSecond] = [splitsOf(270, 30), splitsOf(719, 80)];
  const first = await captureOf(300, ofFirst, false);
  expect(feeSentTo(/authorizations\/.*\/capture$/)).toBe('0.30');
  const second = await captureOf(799, ofSecond, true);

  const captures = [
    { ...first, amount: 300, shares: partsOf(270, 30, ofFirst) },
    { ...second, amount: 100, shares: partsOf(90, 10, ofSecond) },
  ];
  const refund = { verb: 'refund', key: randomUUID(), reference, money: USD(400), captures } as const;
  expect(await call({ ...refund, splits: splitsOf(360, 40) })).toMatchObject({ kind: 'succeeded' });
  expect(double.requests.filter(({ path }) => path.endsWith('/refund')).map(feeOf)).toEqual(['0.30', '0.10']);
});

it('a refund of more than the fee of its capture is refused by PayPal', async () => {
  const waiting = await waitFor({ splits: splitsOf(1089, 10), capture: true });
  double.hands.decide(waiting.reference, 'approve');
  expect(await resume(waiting)).toMatchObject({ kind: 'succeeded' });
  const { key, reference } = waiting;
  const shares = partsOf(89, 11, splitsOf(1089, 10));
  const refund = {
    ...({ verb: 'refund', key: randomUUID(), reference, money: USD(100) } as const),
    captures: [{ key, reference, amount: 100, shares }],
  } as const;
  expect(await call({ ...refund, splits: splitsOf(89, 11) })).toMatchObject({ kind: 'failed' });
});

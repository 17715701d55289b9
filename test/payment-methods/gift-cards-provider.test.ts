import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { noTokens } from '../support/no-tokens.ts';
import { askBalance, callGiftCard, type GiftCardCall } from '../../src/connectors/calls/call-gift-card.ts';
import type { CallContext, Credentials } from '../../src/connectors/interface/call-context.ts';
import type { Outcome } from '../../src/connectors/interface/outcome.ts';
import { sandboxDefinitions } from '../../src/connectors/sandbox/definitions.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../src/platform/http/http-client.ts';
import { startFakeGiftCards, type FakeGiftCards, type GiftCardFault } from '../support/fake-gift-cards.ts';

const lines: string[] = [];
const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(line) });
const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });

let provider: FakeGiftCards;
beforeAll(async () => {
  provider = await startFakeGiftCards();
});
afterAll(async () => {
  http.close();
  await provider.close();
});

const definition = sandboxDefinitions.find(({ id }) => id === 'mock-gift-card');
if (!definition) throw new Error('The sandbox has no gift cards.');

const contextOf = (more: Credentials = {}): CallContext => ({
  ...{ definition, http, deadlineMs: 10_000, environment: 'sandbox', accessTokens: noTokens() },
  credentials: { merchant_id: 'test', api_url: provider.url, ...more },
});

/** Returns an unused card. The digits of the PIN after its 0 are its initial balance. */
const fresh = (pin: string, end = '1') => ({ number: `9${String(++cards).padStart(14, '0')}${end}`, pin });
let cards = 0;
const usd = (amount: number) => ({ amount, currency: 'USD' });

const call = (requested: GiftCardCall, context = contextOf()): Promise<Outcome> =>
  callGiftCard(sandbox, context, log, requested);
const redeem = (card: { number: string; pin: string }, amount: number, key: string = randomUUID()) =>
  call({ verb: 'redeem', key, card, money: usd(amount) });
const giveBack = (
  verb: 'unredeem' | 'refund',
  reference: string,
  amount: number,
  key: string = randomUUID(),
) => call({ verb, key, reference, money: usd(amount) });
async function balanceOf(card: { number: string; pin: string }): Promise<number> {
  const reported = await askBalance(sandbox, contextOf(), log, card);
  if (reported.kind !== 'known') throw new Error(JSON.stringify(reported));
  return reported.money.amount;
}
async function redeemed(card: { number: string; pin: string }, amount: number): Promise<string> {
  const reported = await redeem(card, amount);
  if (reported.kind !== 'succeeded') throw new Error(JSON.stringify(reported));
  return reported.reference;
}

describe('the balance of a sandbox gift card', () => {
  it('comes from the PIN, in the currency of the service, until a moment in the future', async () => {
    const reported = await askBalance(sandbox, contextOf({ currency: 'EUR' }), log, fresh('01234'));

    expect(reported).toEqual({
      kind: 'known',
      money: { amount: 1234, currency: 'EUR' },
      expiresAt: new Date('2099-12-31T23:59:59Z'),
    });
  });

  it('belongs to an expired card when the number ends with 0', async () => {
    const reported = await askBalance(sandbox, contextOf(), log, fresh('01234', '0'));

    expect(reported).toMatchObject({ kind: 'known', expiresAt: new Date('2020-01-31T23:59:59Z') });
  });

  it.each([
    ['10000', 'invalid_gift_card'],
    ['20001', 'expired_card'],
    ['30002', 'inactive_card'],
    ['10003', 'invalid_service_credentials'],
    ['10004', 'invalid_amount'],
    ['10005', 'incorrect_currency'],
    ['10006', 'insufficient_funds'],
    ['10007', 'invalid_service_configuration'],
    ['10008', 'operation_canceled'],
    ['20009', 'service_error'],
    ['20010', 'service_network_error'],
    ['30011', 'unknown_error'],
    ['1', 'unknown_error'],
    ['4000', 'unknown_error'],
    ['abcd', 'unknown_error'],
    ['0999999999', 'unknown_error'],
  ])('is refused for the PIN %s: %s', async (pin, errorCode) => {
    expect(await askBalance(sandbox, contextOf(), log, fresh(pin))).toMatchObject({
      kind: 'refused',
      errorCode,
    });
    const kind = pin.startsWith('1') ? 'declined' : 'failed';
    expect(await redeem(fresh(pin), 1)).toMatchObject({ kind, errorCode });
  });

  it.each<readonly [GiftCardFault, string]>([
    ['lose_request', 'connection'],
    ['lose_answer', 'connection'],
    ['error_after_work', 'server_error'],
    ['nonsense', 'unreadable'],
  ])('is unknown after %s', async (fault, cause) => {
    provider.failNext(fault);

    expect(await askBalance(sandbox, contextOf(), log, fresh('01234'))).toMatchObject({
      kind: 'unknown',
      cause,
    });
  });
});

describe('redemptions', () => {
  it.each([16, 40])('of 64 at once never take more than the balance: %i each of 1000', async (amount) => {
    const card = fresh('01000');
    const seen: number[] = [];
    const watch = async (): Promise<void> => void seen.push(await balanceOf(card));

    const all = await Promise.all([
      ...Array.from({ length: 64 }, () => redeem(card, amount)),
      ...Array.from({ length: 8 }, watch),
    ]);

    const outcomes = all.filter((each) => each !== undefined);
    const taken = outcomes.filter(({ kind }) => kind === 'succeeded').length;
    expect(taken).toBe(Math.floor(1000 / amount));
    expect(
      outcomes.filter((each) => each.kind === 'declined' && each.errorCode === 'insufficient_funds'),
    ).toHaveLength(64 - taken);
    expect(await balanceOf(card)).toBe(1000 - taken * amount);
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
    // The rest can be redeemed, too: the sum of the redemptions is the balance.
    if (taken * amount < 1000) await redeemed(card, 1000 - taken * amount);
    expect(await balanceOf(card)).toBe(0);
  });

  it('of one key at once are one redemption', async () => {
    const card = fresh('01000');
    const key = randomUUID();

    const outcomes = await Promise.all(Array.from({ length: 16 }, () => redeem(card, 300, key)));

    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(outcomes[0]).toMatchObject({ kind: 'succeeded', money: usd(300) });
    expect(await balanceOf(card)).toBe(700);
    expect(await redeem(card, 301, key)).toMatchObject({
      kind: 'declined',
      errorCode: 'duplicate_transaction',
    });
    expect(await balanceOf(card)).toBe(700);
  });

  it.each<readonly [GiftCardFault, string, number]>([
    ['lose_request', 'connection', 1000],
    ['lose_answer', 'connection', 700],
    ['error_after_work', 'server_error', 700],
    ['nonsense', 'unreadable', 700],
    ['other_money', 'unreadable', 700],
  ])('are unknown after %s, and a repeat finds the outcome', async (fault, cause, left) => {
    const card = fresh('01000');
    const key = randomUUID();
    provider.failNext(fault);

    expect(await redeem(card, 300, key)).toMatchObject({ kind: 'unknown', cause });
    expect(await balanceOf(card)).toBe(left);
    expect(await redeem(card, 300, key)).toMatchObject({ kind: 'succeeded', money: usd(300) });
    expect(await balanceOf(card)).toBe(700);
  });

  it.each([
    ['an expired card', '0', usd(1), 'expired_card'],
    ['another currency', '1', { amount: 1, currency: 'EUR' }, 'incorrect_currency'],
    ['nothing', '1', usd(0), 'invalid_amount'],
    ['more than there is', '1', usd(1001), 'insufficient_funds'],
  ])('are refused of %s', async (_, end, money, errorCode) => {
    const card = fresh('01000', end);

    expect(await call({ verb: 'redeem', key: randomUUID(), card, money })).toMatchObject({
      kind: 'declined',
      errorCode,
    });
    expect(await balanceOf(card)).toBe(1000);
  });

  it('by the built-in provider belong to the merchant of the service', async () => {
    const card = fresh('01000');
    const contexts = ['one', 'two'].map((merchant_id) => contextOf({ merchant_id, api_url: '' }));
    const [one = contextOf(), two = contextOf()] = contexts;

    await call({ verb: 'redeem', key: randomUUID(), card, money: usd(1000) }, one);

    expect(await askBalance(sandbox, one, log, card)).toMatchObject({ money: usd(0) });
    expect(await askBalance(sandbox, two, log, card)).toMatchObject({ money: usd(1000) });
  });
});

describe('a redemption', () => {
  it('is reversed as a whole, once', async () => {
    const card = fresh('01000');
    const reference = await redeemed(card, 400);
    const key = randomUUID();

    expect(await giveBack('unredeem', reference, 399)).toMatchObject({ errorCode: 'invalid_amount' });
    const [first, second] = [
      await giveBack('unredeem', reference, 400, key),
      await giveBack('unredeem', reference, 400, key),
    ];

    expect(first).toMatchObject({ kind: 'succeeded', money: usd(400) });
    expect(second).toEqual(first);
    expect(await balanceOf(card)).toBe(1000);
    expect(await giveBack('unredeem', reference, 400)).toMatchObject({ kind: 'declined' });
    expect(await balanceOf(card)).toBe(1000);
  });

  it('is refunded in parts, up to the redeemed amount', async () => {
    const card = fresh('01000');
    const reference = await redeemed(card, 400);

    const outcomes = await Promise.all(Array.from({ length: 12 }, () => giveBack('refund', reference, 50)));

    expect(outcomes.filter(({ kind }) => kind === 'succeeded')).toHaveLength(8);
    expect(await balanceOf(card)).toBe(1000);
    expect(await giveBack('unredeem', reference, 400)).toMatchObject({ errorCode: 'unexpected_state' });
  });

  it.each([
    [101, 'declined', 'invalid_amount'],
    [102, 'failed', 'service_error'],
    [103, 'failed', 'unknown_error'],
  ])('is not refunded %i, whose last digit names an error', async (amount, kind, errorCode) => {
    const card = fresh('01000');
    const reference = await redeemed(card, 400);

    expect(await giveBack('refund', reference, amount)).toMatchObject({ kind, errorCode });
    expect(await balanceOf(card)).toBe(600);
  });

  it('that does not exist is not reversed', async () => {
    for (const verb of ['unredeem', 'refund'] as const)
      expect(await giveBack(verb, 'gcr_unknown', 100)).toMatchObject({
        kind: 'failed',
        errorCode: 'unexpected_state',
      });
  });
});

it('reveals neither the number nor the PIN', async () => {
  const card = fresh('0123456');
  const talkative = {
    ...sandbox,
    giftCards: {
      ...sandbox.giftCards,
      balance: async () => ({
        kind: 'refused',
        errorCode: 'unknown_error',
        rawErrorCode: card.number,
        rawErrorMessage: `Bad PIN ${card.pin} of ${card.number}`,
      }),
    },
  } as typeof sandbox;

  const answers = [await askBalance(talkative, contextOf(), log, card), await redeem(card, 1)];

  expect(answers[0]).toMatchObject({ rawErrorCode: '…', rawErrorMessage: 'Bad PIN … of …' });
  for (const text of [JSON.stringify(answers), lines.join('')]) {
    expect(text).not.toContain(card.number);
    expect(text).not.toContain(card.pin);
  }
});

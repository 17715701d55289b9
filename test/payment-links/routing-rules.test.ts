import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { findLinkMethods, payLink } from '../../src/modules/payment-links/index.ts';
import { startFakeGiftCards, type FakeGiftCards } from '../support/fake-gift-cards.ts';
import { createService } from '../transactions/harness.ts';
import { ACCOUNTS, addBank } from './bank-shop.ts';
import { debitKeyOf, send, visit } from './form.ts';
import { CARD, startLinks, type Link, type LinksHarness } from './harness.ts';
import { giftCard } from './wallet.ts';

let harness: LinksHarness;
let wallets: readonly [first: string, second: string];
let banks: readonly [first: string, second: string];
let ruleSetId: string;
let giftCards: FakeGiftCards;
let calls: number;
beforeAll(async () => {
  harness = await startLinks('mock-acquirer');
  const { server, provider } = harness;
  const wallet = (displayName: string) =>
    createService(server, provider.url, {
      ...{ definitionId: 'mock-acquirer', displayName, currencies: ['USD', 'EUR'] },
      fields: { google_pay_merchant_id: 'BCR2DN4T' },
    });
  wallets = [await wallet('Wallets'), await wallet('More wallets')];
  banks = [await addBank(harness), await addBank(harness, { displayName: 'Second debits' })];
  await createService(server, provider.url, { definitionId: 'mock-push', currencies: ['USD', 'EUR'] });
  giftCards = await startFakeGiftCards();
  await createService(server, giftCards.url, { definitionId: 'mock-gift-card', displayName: 'Gift cards' });
  const made = await harness.ask<{ routingRuleSetId: string }>(
    'mutation { answer: createRoutingRuleSet(input: { name: "Links" }) { routingRuleSetId } }',
  );
  ruleSetId = made.routingRuleSetId;
});
afterAll(async () => {
  await giftCards.close();
  await harness.stop();
});
beforeEach(() => void (calls = harness.provider.calls.length));

const VERSION = `mutation ($ruleSetId: ID!, $input: CreateRoutingRuleSetVersionInput!) {
  answer: createRoutingRuleSetVersion(ruleSetId: $ruleSetId, input: $input) { routingRuleSetVersionId userErrors { message } } }`;
const ACTIVATE = `mutation ($versionId: ID) {
  answer: activateRoutingRuleSet(input: { versionId: $versionId }) { userErrors { message } } }`;

/** Lets rules decide from now on. Returns the id of their version. */
async function follow(...rules: readonly object[]): Promise<string> {
  const versionId = await version(...rules);
  await harness.ask(ACTIVATE, { versionId });
  return versionId;
}

/** Makes a version, and returns its id. */
async function version(...rules: readonly object[]): Promise<string> {
  const input = { rules: rules.map((rule, index) => ({ name: `Rule ${index + 1}`, ...rule })) };
  const made = await harness.ask<{ routingRuleSetVersionId: string | null; userErrors: unknown }>(VERSION, {
    ruleSetId,
    input,
  });
  if (made.routingRuleSetVersionId === null) throw new Error(JSON.stringify(made.userErrors));
  return made.routingRuleSetVersionId;
}

const EURO = { currency: 'EUR', country: 'DE', intent: 'CAPTURE' };
const refuse = { action: { refuse: { code: 'not_here' } } };
const order = (paymentServiceIds: readonly string[], onlyThese = false) => ({
  action: { order: { paymentServiceIds, onlyThese } },
});
const when = (...facts: readonly object[]) => ({ conditions: facts.map((fact) => ({ fact })) });

/** The methods that the page of a new link offers. */
async function offered(input: object = EURO, left?: number): Promise<readonly string[]> {
  const link = await harness.found(await harness.made(input));
  const { card, redirects, bank, googlePay } = await findLinkMethods(harness.server.app, link, left);
  return [
    ...(card ? ['card'] : []),
    ...redirects,
    ...(bank ? ['bank'] : []),
    ...(googlePay ? ['googlepay'] : []),
  ];
}
const ALL = ['card', 'oxxo', 'bank', 'googlepay'];

it.each([
  ['refuses everything', [refuse], []],
  ['refuses one method', [{ ...when({ method: ['bank'] }), ...refuse }], ['card', 'oxxo', 'googlepay']],
  [
    'refuses a kind of data',
    [{ ...when({ instrument: ['GOOGLEPAY'] }), ...refuse }],
    ['card', 'oxxo', 'bank'],
  ],
  ['refuses some schemes of cards', [{ ...when({ scheme: ['AMEX'] }), ...refuse }], ALL],
  [
    'refuses all schemes but one',
    [{ conditions: [{ not: true, fact: { scheme: ['VISA'] } }], ...refuse }],
    ['card'],
  ],
  ['refuses stored cards', [{ ...when({ isStored: true }), ...refuse }], ALL],
  [
    'refuses cards without gift cards',
    [{ ...when({ method: ['card'] }, { hasGiftCards: false }), ...refuse }],
    ['oxxo', 'bank', 'googlepay'],
  ],
  ['refuses another currency', [{ ...when({ currency: ['USD'] }), ...refuse }], ALL],
  [
    'takes an earlier rule first',
    [{ ...when({ method: ['bank'] }), action: { positions: true } }, refuse],
    ['bank'],
  ],
] as const)('a page offers the methods that remain where a rule %s', async (_, rules, methods) => {
  await follow(...rules);

  expect(await offered()).toEqual(methods);
});

it('a page leaves out a method whose services no rule asks', async () => {
  await follow(order(banks, true));

  expect(await offered()).toEqual(['bank']);
});

it('a page knows of the gift cards that pay a part', async () => {
  await follow({ ...when({ hasGiftCards: true }), ...refuse });

  expect(await offered(EURO, 300)).toEqual([]);
  expect(await offered()).toEqual(ALL);
});

it('a page offers cards to a buyer with an account alone where a rule refuses new cards', async () => {
  await follow({ ...when({ method: ['card'] }, { isStored: false }), ...refuse });
  const { buyer } = await harness.ask<{ buyer: { id: string } }>(
    'mutation { answer: createBuyer(input: { displayName: "Jane" }) { buyer { id } } }',
  );

  expect(await offered()).toEqual(['oxxo', 'bank', 'googlepay']);
  expect(await offered({ ...EURO, buyerId: buyer.id })).toEqual(ALL);
});

it('a page offers no stored card where a rule refuses all of them', async () => {
  await harness.ask(ACTIVATE, { versionId: null });
  const { buyer } = await harness.ask<{ buyer: { id: string } }>(
    'mutation { answer: createBuyer(input: { displayName: "Jane" }) { buyer { id } } }',
  );
  const stored = { card: { number: CARD.number, expirationDate: CARD.expirationDate } };
  const input = {
    amount: 100,
    currency: 'EUR',
    country: 'DE',
    paymentMethod: stored,
    buyerId: buyer.id,
    store: true,
  };
  await harness.ask(
    'mutation ($input: CreateTransactionInput!) { answer: createTransaction(input: $input) { userErrors { message } } }',
    { input },
  );
  const found = await harness.found(await harness.made({ ...EURO, buyerId: buyer.id }));
  const { app } = harness.server;

  expect(await findLinkMethods(app, found)).toMatchObject({ card: true, stored: [{ lastFour: '1111' }] });
  await follow({ ...when({ isStored: true }), ...refuse });
  expect(await findLinkMethods(app, found)).toMatchObject({ card: true, stored: [] });
});

it('a page knows the metadata and the identifier of its link', async () => {
  await follow({ ...when({ metadata: { name: 'shop', values: ['b'] } }), ...refuse });

  expect(await offered({ ...EURO, metadata: { shop: 'b' } })).toEqual([]);
  expect(await offered({ ...EURO, metadata: { shop: 'a' } })).toEqual(ALL);
});

const paymentsOf = ({ id }: Link) =>
  harness.rows<{ service: string; version: string | null; draw: number | null }>(
    `SELECT payment_service_id::text AS service, routing ->> 'versionId' AS version,
       (routing -> 'draw' ->> 'share')::int AS draw FROM transaction WHERE payment_link_id = $1::uuid ORDER BY id`,
    id,
  );

const debit = async (link: Link) => {
  const visited = await visit(link);
  const fields = { method: 'bank', mandate: 'accepted', ...ACCOUNTS.EUR };
  return send(link, { ...visited, formKey: debitKeyOf(visited.html) || visited.formKey }, fields);
};

const pay = async (link: Link, paymentMethod: object) =>
  payLink(harness.server.app, await harness.found(link), { paymentMethod });

const TOKEN = JSON.stringify({ sandbox: 'visa' });

it('a debit and a wallet go to the service that a rule puts first, and name the version', async () => {
  const version = await follow(order([banks[1], wallets[1]]));
  const [byBank, byWallet] = [await harness.made(EURO), await harness.made(EURO)];

  await debit(byBank);
  await pay(byWallet, { googlePay: { token: TOKEN } });

  expect(await paymentsOf(byBank)).toEqual([{ service: banks[1], version, draw: null }]);
  expect(await paymentsOf(byWallet)).toEqual([{ service: wallets[1], version, draw: null }]);
});

it('a debit and a wallet that a rule refuses reach no provider', async () => {
  const links = [await harness.made(EURO), await harness.made(EURO)] as const;
  const visited = await visit(links[0]);
  await follow(refuse);

  const debited = await send(
    links[0],
    { ...visited, formKey: debitKeyOf(visited.html) },
    { method: 'bank', mandate: 'accepted', ...ACCOUNTS.EUR },
  );
  const paid = await pay(links[1], { googlePay: { token: TOKEN } });

  expect(debited.status).toBe(422);
  expect(paid).toMatchObject({ ok: false, refusals: [{ kind: 'NoPaymentService' }] });
  expect(await Promise.all(links.map(paymentsOf))).toEqual([[], []]);
  expect(harness.provider.calls).toHaveLength(calls);
  expect((await harness.read(links[1].id))?.status).toBe('ACTIVE');
});

it('a wallet of a deleted buyer falls into the share that the page has chosen', async () => {
  const split = wallets.map((id) => ({ weight: 1, paymentServiceIds: [id], onlyThese: true }));
  await follow({ action: { split } });

  for (let nth = 0; nth < 6; nth += 1) {
    const { buyer } = await harness.ask<{ buyer: { id: string } }>(
      'mutation { answer: createBuyer(input: { displayName: "Jane" }) { buyer { id } } }',
    );
    const link = await harness.made({ buyerId: buyer.id });
    await harness.ask(
      'mutation ($id: ID!) { answer: deleteBuyer(id: $id) { userErrors { message } } }',
      buyer,
    );

    expect(await pay(link, { googlePay: { token: TOKEN } })).toMatchObject({ ok: true });
  }
});

it('a card that a rule refuses leaves the link active, and gift cards that pay alone pass the rules by', async () => {
  await follow({ ...when({ scheme: ['MASTERCARD'] }), ...refuse }, order(banks, true));
  const link = await harness.made();

  const refused = await pay(link, { card: { ...CARD, number: '5555 5555 5555 4444' } });
  const leftOut = await pay(link, { card: CARD });

  expect(refused).toMatchObject({ ok: false, refusals: [{ kind: 'RefusedByRoutingRule' }] });
  expect(leftOut).toMatchObject({ ok: false, refusals: [{ kind: 'NoPaymentService' }] });
  expect([(await harness.read(link.id))?.status, await paymentsOf(link)]).toEqual(['ACTIVE', []]);
  const paid = await payLink(harness.server.app, await harness.found(link), {
    paymentMethod: null,
    giftCards: [{ ...giftCard(5_000), amount: 1_299 }],
  });
  expect(paid).toMatchObject({ ok: true, value: { link: { status: 'completed' } } });
  expect(await paymentsOf(link)).toEqual([{ service: expect.any(String), version: null, draw: null }]);
});

/** The sandbox declines each payment of this amount. */
const DECLINED = 200_011;

it('each try to pay a link falls into the same share', async () => {
  const split = wallets.map((id) => ({ weight: 1, paymentServiceIds: [id], onlyThese: true }));
  await follow({ action: { split } });
  const places = new Set<number | null>();

  // Forty links never fall into one share.
  for (let nth = 0; nth < 6 || (places.size < 2 && nth < 40); nth += 1) {
    const link = await harness.made({ amount: DECLINED });
    await pay(link, { card: CARD });
    await pay(link, { googlePay: { token: TOKEN } });
    const [first, second] = await paymentsOf(link);

    expect(second).toEqual(first);
    places.add(first?.draw ?? null);
  }
  expect([...places].toSorted()).toEqual([1, 2]);
});

it('a link with a version of its own follows it, on its page and in its payments', async () => {
  const routingVersionId = await version({ ...when({ method: ['bank'] }), ...refuse }, order([wallets[1]]));
  const active = await follow(order([wallets[0]]));
  const link = await harness.made({ ...EURO, routingVersionId });

  expect(link).toMatchObject({ routingVersionId });
  expect(await harness.read(link.id)).toMatchObject({ routingVersionId });
  expect(await offered({ ...EURO, routingVersionId })).toEqual(['card', 'oxxo', 'googlepay']);
  expect(await offered()).toEqual(ALL);
  await pay(link, { googlePay: { token: TOKEN } });
  const other = await harness.made(EURO);
  await pay(other, { googlePay: { token: TOKEN } });
  expect(await paymentsOf(link)).toEqual([{ service: wallets[1], version: routingVersionId, draw: null }]);
  expect(await paymentsOf(other)).toEqual([{ service: wallets[0], version: active, draw: null }]);
});

it('a link names only a version of its account, and only by a token that may activate one', async () => {
  const routingVersionId = await version(refuse);
  const { token } = await harness.server.createMerchantAccount();
  const scopes = ['*.read', 'payment-links.write'];
  const weak = await harness.server.mint({ scopes });

  expect(await harness.create({ routingVersionId }, undefined, token)).toMatchObject({
    paymentLink: null,
    userErrors: [{ code: 'NOT_FOUND', path: ['input', 'routingVersionId'] }],
  });
  expect(await harness.create({ routingVersionId: 'one' })).toMatchObject({
    userErrors: [{ code: 'INVALID_INPUT', path: ['input', 'routingVersionId'] }],
  });
  await expect(harness.create({ routingVersionId }, undefined, weak)).rejects.toThrow(
    'routing-activations.write',
  );
  expect(await harness.create({ routingVersionId })).toMatchObject({ paymentLink: { routingVersionId } });
});

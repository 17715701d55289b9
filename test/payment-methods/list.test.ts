import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordPaymentMethodUse } from '../../src/modules/payment-methods/index.ts';
import { CARD, startStoredHarness, type Input, type StoredHarness } from './stored-harness.ts';

type Page = {
  readonly nodes: readonly { readonly id: string; readonly externalIdentifier: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
};

const LIST = `query ($filter: PaymentMethodFilter, $first: Int, $after: String, $last: Int, $before: String) {
  answer: paymentMethods(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    nodes { id externalIdentifier } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

const OF_BUYER = `query ($buyerId: ID, $buyerExternalIdentifier: String, $sortBy: BuyerPaymentMethodSort! = CREATED_AT,
    $orderBy: SortDirection! = DESC, $country: String, $currency: String) {
  answer: buyerPaymentMethods(buyerId: $buyerId, buyerExternalIdentifier: $buyerExternalIdentifier, sortBy: $sortBy,
    orderBy: $orderBy, country: $country, currency: $currency) { id } }`;

describe('the list of payment methods', () => {
  let harness: StoredHarness;
  let jane: string;
  let visa: string;
  let rival: { readonly id: string; readonly token: string };

  const list = (variables: Input, token?: string): Promise<Page> => harness.ask<Page>(LIST, variables, token);
  const named = async (filter: Input): Promise<readonly string[]> =>
    (await list({ filter })).nodes.map(({ externalIdentifier }) => externalIdentifier);

  const ofBuyer = async (variables: Input, token?: string): Promise<readonly string[]> =>
    (await harness.ask<{ id: string }[]>(OF_BUYER, variables, token)).map(({ id }) => id);

  beforeAll(async () => {
    harness = await startStoredHarness();
    rival = await harness.server.createMerchantAccount();
    jane = await harness.buyer({ externalIdentifier: 'jane' });
    const bankAccount = {
      scheme: 'SEPA',
      accountNumber: 'DE89370400440532013000',
      accountHolder: { companyName: 'Acme' },
    };
    const mastercard = { ...CARD, number: '5200000000001203' };
    const redirect = {
      method: 'paypal',
      country: 'US',
      currency: 'USD',
      redirectUrl: 'https://shop.example',
    };
    const first = await harness.stored({
      instrument: { card: CARD },
      buyerId: jane,
      externalIdentifier: 'a card',
    });
    visa = String(first['fingerprint']);
    await harness.stored({ instrument: { bankAccount }, buyerId: jane, externalIdentifier: 'b bank' });
    await harness.stored({ instrument: { card: mastercard }, externalIdentifier: 'c card' });
    await harness.stored({ instrument: { redirect }, externalIdentifier: 'd paypal' });
    await harness.stored({ instrument: { card: CARD }, externalIdentifier: 'e again' });
    await harness.stored({ instrument: { card: CARD }, externalIdentifier: 'a card' }, rival.token);
  });
  afterAll(() => harness.stop());

  it.each<[string, () => Input, readonly string[]]>([
    ['nothing', () => ({}), ['e again', 'd paypal', 'c card', 'b bank', 'a card']],
    ['a buyer', () => ({ buyerId: jane.toUpperCase() }), ['b bank', 'a card']],
    ["a buyer's external identifier", () => ({ buyerExternalIdentifier: 'jane' }), ['b bank', 'a card']],
    ['a buyer that is not there', () => ({ buyerExternalIdentifier: 'joan' }), []],
    [
      'both names of a buyer',
      () => ({ buyerId: jane, buyerExternalIdentifier: 'jane' }),
      ['b bank', 'a card'],
    ],
    [
      'two buyers',
      () => ({ buyerId: visa.slice(0, 8) + jane.slice(8), buyerExternalIdentifier: 'jane' }),
      [],
    ],
    ['a method', () => ({ method: ['paypal'] }), ['d paypal']],
    ['methods', () => ({ method: ['paypal', 'bank'] }), ['d paypal', 'b bank']],
    ['a status', () => ({ status: ['PROCESSING'], method: ['bank'] }), ['b bank']],
    ['another status', () => ({ status: ['SUCCEEDED', 'FAILED'] }), []],
    ['a fingerprint', () => ({ fingerprint: visa }), ['e again', 'a card']],
    ['an external identifier', () => ({ externalIdentifier: 'c card' }), ['c card']],
    [
      'the beginning of an external identifier, which is another one',
      () => ({ externalIdentifier: 'c' }),
      [],
    ],
    ['a word of an external identifier', () => ({ search: 'CARD' }), ['e again', 'c card', 'a card']],
    ['first digits', () => ({ search: '4111' }), ['e again', 'a card']],
    ['last digits', () => ({ search: '1203' }), ['c card']],
    ['a scheme', () => ({ search: 'masterc' }), ['c card']],
    ['all of several words', () => ({ search: 'card visa' }), ['e again', 'a card']],
    ['nothing by a sign of LIKE', () => ({ search: '%' }), []],
    ['several filters at once', () => ({ fingerprint: visa, buyerId: jane, search: 'a' }), ['a card']],
  ])('finds by %s', async (_, filter, found) => {
    expect(await named(filter())).toEqual(found);
  });

  it('continues behind a cursor in both directions', async () => {
    const all = (await list({})).nodes.map(({ id }) => id);
    const [one, two, three, four, five] = all;

    const first = await list({ first: 2 });
    const next = await list({ first: 2, after: first.pageInfo.endCursor });
    const last = await list({ first: 2, after: next.pageInfo.endCursor });
    const back = await list({ last: 2, before: last.pageInfo.startCursor });
    const end = await list({ last: 3 });

    const ids = (page: Page) => page.nodes.map(({ id }) => id);
    expect([first, next, last, back, end].map(ids)).toEqual([
      [one, two],
      [three, four],
      [five],
      [three, four],
      [three, four, five],
    ]);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(back.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
  });

  it('has nothing of another merchant account', async () => {
    expect((await list({}, rival.token)).nodes).toHaveLength(1);
    expect((await list({ filter: { buyerId: jane } }, rival.token)).nodes).toEqual([]);
    expect((await list({ filter: { fingerprint: visa } }, rival.token)).nodes).toEqual([]);
  });

  it.each<[string, Input, readonly string[]]>([
    ['an id that is none', { filter: { buyerId: 'jane' } }, ['filter', 'buyerId']],
    ['a list of nothing', { filter: { method: [] } }, ['filter', 'method']],
    ['an empty search', { filter: { search: '' } }, ['filter', 'search']],
    ['too many words', { filter: { search: 'a b c d e f g h i j k' } }, ['filter', 'search']],
    ['a cursor of something else', { after: 'YzEuMQ' }, ['after']],
    ['more than there may be', { first: 101 }, ['first']],
  ])('refuses %s', async (_, variables, path) => {
    const { body } = await harness.server.graphql(LIST, variables);

    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['INVALID_INPUT']);
    expect(JSON.stringify(body.errors)).toContain(JSON.stringify(path));
  });

  it('needs the scope, also for those of a buyer and for a reference', async () => {
    const token = await harness.server.mint({ scopes: ['buyers.read', 'payment-methods.write'] });
    for (const document of [
      '{ paymentMethods { nodes { id } } }',
      `{ paymentMethod(id: "${jane}") { id } }`,
      `{ buyer(id: "${jane}") { paymentMethods { id } } }`,
    ]) {
      const { body } = await harness.server.graphql(document, {}, { token });
      expect(body.errors?.[0]?.extensions).toMatchObject({
        code: 'FORBIDDEN',
        requiredScopes: [['payment-methods.read']],
      });
    }
  });

  it("sorts a buyer's methods by their use", async () => {
    const buyerId = await harness.buyer();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await harness.stored({ instrument: { card: CARD }, buyerId })).id);
    const [often = '', late = '', never = ''] = ids;
    const use = (id: string, day: number, customerInitiated: boolean) =>
      harness.server.app.db.transaction((tx) =>
        recordPaymentMethodUse(
          tx,
          { merchantAccountId: 'default', id },
          { at: new Date(Date.UTC(2030, 0, day)), customerInitiated },
        ),
      );
    await use(often, 2, true);
    await use(often, 1, false);
    await use(late, 3, false);

    expect(await harness.read(often)).toMatchObject({
      ...{ usageCount: 2, lastUsedAt: '2030-01-02T00:00:00.000Z' },
      ...{ citUsageCount: 1, citLastUsedAt: '2030-01-02T00:00:00.000Z' },
    });
    const ordered = async (sort: string): Promise<readonly string[]> => {
      const document = `query ($id: ID!) { answer: buyer(id: $id) { paymentMethods(sort: ${sort}) { id } } }`;
      const answer = await harness.ask<{ paymentMethods: { id: string }[] }>(document, { id: buyerId });
      return answer.paymentMethods.map(({ id }) => id);
    };
    expect(await ordered('CREATED_AT')).toEqual([never, late, often]);
    expect(await ordered('LAST_USED_AT')).toEqual([late, often, never]);
    expect(await ordered('USAGE_COUNT')).toEqual([often, late, never]);
    expect(await ordered('CIT_LAST_USED_AT')).toEqual([often, never, late]);
    expect(await ordered('CIT_USAGE_COUNT')).toEqual([often, never, late]);
    for (const sortBy of [
      ...['CREATED_AT', 'LAST_USED_AT', 'USAGE_COUNT', 'CIT_LAST_USED_AT', 'CIT_USAGE_COUNT'],
    ]) {
      const descending = await ordered(sortBy);
      expect(await ofBuyer({ buyerId, sortBy })).toEqual(descending);
      expect(await ofBuyer({ buyerId, sortBy, orderBy: 'ASC' })).toEqual(descending.toReversed());
    }
  });

  it("finds a buyer's methods by either identifier, without those of another country or currency", async () => {
    const redirect = {
      method: 'paypal',
      country: 'US',
      currency: 'USD',
      redirectUrl: 'https://shop.example',
    };
    const buyerId = await harness.buyer({ externalIdentifier: 'traveller' });
    const made = [];
    for (const instrument of [
      ...[{ card: CARD }, { redirect }, { redirect: { ...redirect, country: 'DE', currency: 'EUR' } }],
    ])
      made.push((await harness.stored({ instrument, buyerId })).id);
    const [card, american, german] = made;
    const whose = { buyerExternalIdentifier: 'traveller' };

    expect(await ofBuyer(whose)).toEqual([german, american, card]);
    expect(await ofBuyer({ ...whose, country: 'US' })).toEqual([american, card]);
    expect(await ofBuyer({ ...whose, currency: 'EUR', orderBy: 'ASC' })).toEqual([card, german]);
    expect(await ofBuyer({ ...whose, country: 'US', currency: 'EUR' })).toEqual([card]);
    expect(await ofBuyer({ buyerId }, rival.token)).toEqual([]);
    expect(await ofBuyer(whose, rival.token)).toEqual([]);
    expect(await ofBuyer({ buyerId: 'nobody' })).toEqual([]);
    expect(await ofBuyer({ buyerExternalIdentifier: 'nobody' })).toEqual([]);
  });

  it.each<[string, Input, readonly string[]]>([
    ['no identifier', {}, ['buyerId']],
    ['two identifiers', { buyerId: 'a', buyerExternalIdentifier: 'a' }, ['buyerExternalIdentifier']],
    ['an empty identifier', { buyerExternalIdentifier: '' }, ['buyerExternalIdentifier']],
    ['a country of three letters', { buyerId: 'a', country: 'USA' }, ['country']],
    ['a currency in small letters', { buyerId: 'a', currency: 'usd' }, ['currency']],
  ])('refuses a buyer with %s', async (_, variables, path) => {
    const { body } = await harness.server.graphql(OF_BUYER, variables);
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT', refusals: [{ path }] });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { describeFreeTexts, SETTING, SPELLINGS } from './free-texts.ts';

// card-numbers.long.test.ts has every spelling, and the other executor.
describeFreeTexts('compiled', SPELLINGS.slice(1, 2));

describe('an identifier that looks like a card number', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const CREATE = `mutation ($input: CreateBuyerInput!, $key: String) {
    createBuyer(input: $input, idempotencyKey: $key) { buyer { externalIdentifier } userErrors { message path } } }`;
  const allow = (allows: boolean) =>
    server.graphql(
      `mutation ($id: ID!, $allows: Boolean) { updateMerchantAccount(id: $id,
        input: { allowsCardLikeIdentifiers: $allows }) { userErrors { message } } }`,
      { id: server.merchantAccountId, allows },
    );
  const create = async (input: object, key: string | null = null) =>
    (await server.graphql<{ createBuyer: unknown }>(CREATE, { input, key })).body.data?.createBuyer;

  it('is refused by default, and the refusal names the setting', async () => {
    expect(await create({ externalIdentifier: ORDER })).toEqual({
      buyer: null,
      userErrors: [{ message: expect.stringContaining(SETTING), path: ['input', 'externalIdentifier'] }],
    });
  });

  it('is no order number of 13 digits and no prefix with a time, in an identifier, a key and metadata', async () => {
    const named = {
      externalIdentifier: `shop-${ORDER}`,
      metadata: { order: '5000000007919', lines: [5_000_000_007_919] },
    };

    const buyer = await create({ externalIdentifier: '5000000007919' }, 'order-17-1764288000123');
    const { body } = await server.graphql(
      `mutation ($input: CreatePaymentLinkInput!) {
        createPaymentLink(input: $input, idempotencyKey: "5000000007919") {
          paymentLink { externalIdentifier metadata } userErrors { message path } } }`,
      { input: { amount: 1299, currency: 'USD', country: 'US', ...named } },
    );

    expect(buyer).toEqual({ buyer: { externalIdentifier: '5000000007919' }, userErrors: [] });
    expect(body.data).toEqual({ createPaymentLink: { paymentLink: named, userErrors: [] } });
  });

  it('is stored and found where the merchant account allows it, and no other text is', async () => {
    await allow(true);
    const made = await create({ externalIdentifier: ORDER }, ORDER);
    const refused = await create({ externalIdentifier: `${ORDER} 2`, displayName: ORDER });
    await allow(false);
    const after = await create({ externalIdentifier: `${ORDER} 3` });

    expect(made).toEqual({ buyer: { externalIdentifier: ORDER }, userErrors: [] });
    expect(refused).toEqual({
      buyer: null,
      userErrors: [{ message: 'Must not contain a card number.', path: ['input', 'displayName'] }],
    });
    expect(after).toMatchObject({ buyer: null });
    expect(await server.app.db.prisma.buyer.count({ where: { externalIdentifier: ORDER } })).toBe(1);
    expect(await server.app.db.prisma.buyer.count({ where: { displayName: ORDER } })).toBe(0);
  });

  it('is allowed by the account of the request alone', async () => {
    await allow(true);
    const other = await server.createMerchantAccount();

    const { body } = await server.graphql<{ createBuyer: unknown }>(
      CREATE,
      { input: { externalIdentifier: ORDER } },
      { token: other.token },
    );
    await allow(false);

    expect(body.data?.createBuyer).toMatchObject({ buyer: null });
  });
});

/** An order number with the form of a Visa number. */
const ORDER = '4242424242424242';

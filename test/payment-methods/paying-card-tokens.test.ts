import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DefinitionField } from '../../src/connectors/interface/definition.ts';
import { connectors } from '../../src/connectors/index.ts';
import {
  CARD,
  RECURRING,
  startPayingHarness,
  stored,
  type Input,
  type PayingHarness,
} from './paying-harness.ts';

const FIELD: DefinitionField = {
  ...{ key: 'raw_card_data', displayName: 'Takes card numbers', required: false },
  ...{ format: 'boolean', secret: false },
};

/** The sandbox, with a field for card numbers in `mockds-card`. */
const withField = connectors.map((connector) => ({
  ...connector,
  definitions: connector.definitions.map((definition) =>
    definition.id === 'mockds-card' ? { ...definition, fields: [...definition.fields, FIELD] } : definition,
  ),
}));

let harness: PayingHarness;
/** It asks for tokens, and takes card numbers only if its field says so. */
let tokenizing: string;
/** It asks for no tokens. */
let plain: string;

beforeAll(async () => {
  harness = await startPayingHarness('mockds-card', { connectors: withField });
  tokenizing = (await harness.server.app.db.prisma.paymentService.findFirstOrThrow()).id;
  plain = await harness.service('mock-card');
});
afterAll(() => harness.stop());
beforeEach(() => void harness.requested());

const APPLE_PAY = { paymentMethod: { applePay: { token: '{"sandbox": "mastercard"}' } } };
const CLIENT = { paymentMethod: { providerToken: { token: 'tok_visa' } } };

const allowCards = (value: string) =>
  harness.ask(
    `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) {
      updatePaymentService(id: $id, input: $input) { userErrors { message } } }`,
    { id: tokenizing, input: { fields: [{ key: 'raw_card_data', value }] } },
  );

async function storedBy(input: Input): Promise<string> {
  const { paymentMethod } = await harness.paid({ ...input, store: true });
  return paymentMethod?.id ?? '';
}

describe('a wallet or a token of a client that a payment stores', () => {
  it.each<[string, () => Input, { scheme: string; lastFour: string }]>([
    ['Apple Pay', () => APPLE_PAY, { scheme: 'MASTERCARD', lastFour: '4444' }],
    [
      'a token of a client',
      () => ({ ...CLIENT, paymentServiceId: tokenizing }),
      { scheme: 'VISA', lastFour: '1111' },
    ],
  ])('becomes the provider’s token of a card: %s', async (_, input, card) => {
    const id = await storedBy({ ...input(), paymentSource: 'RECURRING' });

    const merchant = await harness.paid({ ...stored(id), ...RECURRING });
    const buyer = await harness.paid({ ...stored(id), paymentSource: 'CARD_ON_FILE' });

    expect(await harness.method(id)).toMatchObject({
      ...{ method: 'card', instrumentType: 'CARD_TOKEN', status: 'SUCCEEDED', expirationDate: '12/40' },
      ...{ fingerprint: null, usageCount: 3, ...card },
      schemeTransactionId: expect.stringMatching(/^\d{15}$/),
      schemeTransactionIdScheme: card.scheme,
    });
    expect(await harness.notified(id)).toEqual([
      ...['payment-method.created', 'payment-method.updated', 'recurring.token.created'],
    ]);
    const { found } = await harness.ask<{ found: { nodes: { id: string }[] } }>(
      'query ($search: String!) { found: paymentMethods(filter: { search: $search }) { nodes { id } } }',
      { search: `${card.scheme} ${card.lastFour}` },
    );
    expect(found.nodes).toContainEqual({ id });
    for (const payment of [merchant, buyer])
      expect(payment).toMatchObject({
        ...{ status: 'AUTHORIZATION_SUCCEEDED', instrumentType: 'CARD_TOKEN', method: 'card' },
        card: { lastFour: card.lastFour, scheme: card.scheme.toLowerCase() },
      });
    const [first, ...later] = harness.requested();
    expect(first).toMatchObject({ tokenize: true });
    expect(later.map(({ token }) => token)).toEqual([
      expect.stringMatching(/^tok_[0-9a-f]{24}$/),
      later[0]?.token,
    ]);
  });

  it('is refused where no service asks for tokens, and nothing is stored or sent', async () => {
    const { transaction, userErrors } = await harness.pay({
      ...CLIENT,
      ...{ store: true, paymentServiceId: plain },
    });

    expect(transaction).toBeNull();
    expect(userErrors).toMatchObject([
      {
        code: 'NO_PAYMENT_SERVICE',
        message: expect.stringContaining('asks for no tokens (paymentMethodTokenizationEnabled)'),
      },
    ]);
    const passedOver = (userErrors[0] as { passedOver?: unknown } | undefined)?.passedOver;
    expect(passedOver).toContainEqual({
      ...{ paymentService: { id: plain }, codes: ['PAYMENT_METHOD_TOKENIZATION'] },
    });
    const { explainRouting: explained } = await harness.ask<{ explainRouting: { considered: unknown[] } }>(
      `{ explainRouting(input: { currency: "USD", method: "applepay", store: true }) {
        considered { paymentService { id } reasons { code } } } }`,
    );
    expect(explained.considered).toEqual([
      { paymentService: { id: tokenizing }, reasons: [] },
      { paymentService: { id: plain }, reasons: [{ code: 'PAYMENT_METHOD_TOKENIZATION' }] },
    ]);
    expect(harness.requested()).toEqual([]);
  });

  it('pays at no service without its token', async () => {
    const id = await storedBy(APPLE_PAY);
    harness.requested();

    const { userErrors } = await harness.pay({ ...stored(id), ...RECURRING, paymentServiceId: plain });

    expect(userErrors).toMatchObject([{ code: 'NO_PAYMENT_SERVICE' }]);
    expect(harness.requested()).toEqual([]);
  });

  it('fails with a declined payment, and gets no event of a change without a change', async () => {
    const { status, paymentMethod } = await harness.paid({
      ...{ paymentMethod: { applePay: { token: '{"sandbox": "visa_declined"}' } }, store: true },
    });

    expect(status).toBe('AUTHORIZATION_DECLINED');
    expect(paymentMethod).toMatchObject({ status: 'FAILED', lastFour: null });
    expect(await harness.notified(paymentMethod?.id ?? '')).toEqual([
      'payment-method.created',
      'payment-method.updated',
    ]);
  });
});

describe('a stored card at a service that takes no card numbers', () => {
  it('pays by the service’s token when the merchant continues a series, and not when the buyer pays', async () => {
    await allowCards('true');
    const id = await storedBy({ paymentMethod: { card: CARD }, paymentServiceId: tokenizing });
    await allowCards('false');
    harness.requested();

    const merchant = await harness.paid({ ...stored(id), ...RECURRING, paymentServiceId: tokenizing });
    const { userErrors } = await harness.pay({ ...stored(id), paymentServiceId: tokenizing });

    expect(merchant).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', instrumentType: 'PAN' });
    expect(userErrors).toMatchObject([{ code: 'NO_PAYMENT_SERVICE' }]);
    const sent = harness.requested();
    expect(sent).toMatchObject([{ token: expect.stringMatching(/^tok_/) }]);
    expect(sent[0]).not.toHaveProperty('card');
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sandboxConnectors } from '../support/sandbox-connectors.ts';
import type { DefinitionField } from '../../src/connectors/interface/definition.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from './unresolved.ts';
import { createService, startHarness, type Harness, type Since } from './harness.ts';

const FIELD: DefinitionField = {
  ...{ key: 'raw_card_data', displayName: 'Takes card numbers', required: false },
  ...{ format: 'boolean', secret: false },
};

/** The sandbox, with a field for card numbers in `mock-card`, without card numbers or outside data in `mockds-card`. */
const withoutCards = sandboxConnectors.map((connector) => ({
  ...connector,
  definitions: connector.definitions.map((definition) => {
    if (definition.id === 'mock-card') return { ...definition, fields: [...definition.fields, FIELD] };
    if (definition.id !== 'mockds-card') return definition;
    const features = { installments: false, raw_card_data: false, three_d_secure_pass_through: false };
    return { ...definition, supportedFeatures: { ...definition.supportedFeatures, ...features } };
  }),
}));

let harness: Harness;
/** A service whose definition has the field, without a value. */
let unset: string;
/** A service whose definition has no feature for card numbers. */
let featureless: string;
let since: Since;

beforeAll(async () => {
  harness = await startHarness('mock-card', { connectors: withoutCards });
  unset = (await harness.server.app.db.prisma.paymentService.findFirstOrThrow()).id;
  featureless = await createService(harness.server, harness.provider.url, { definitionId: 'mockds-card' });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  harness.provider.behave();
  since = await harness.since();
});

const byToken = (token: string, input: object = {}, key?: string) =>
  harness.create({ paymentMethod: { providerToken: { token } }, paymentServiceId: unset, ...input }, key);
const sent = () => harness.provider.calls.at(-1);
const SHOWN = `query ($id: ID!) { transaction(id: $id) { status method instrumentType errorCode
  card { scheme lastFour } } }`;
const shown = async (id: string | undefined) =>
  (await harness.ask<{ transaction: unknown }>(SHOWN, { id })).transaction;

describe('a token of the provider’s software in the client', () => {
  it('goes to its provider, and shows the card that the provider names', async () => {
    const { transaction } = await byToken('tok_amex');

    expect(await shown(transaction?.id)).toEqual({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', method: 'card', instrumentType: 'CARD_TOKEN', errorCode: null },
      card: { scheme: 'amex', lastFour: '0005' },
    });
    expect(sent()).toMatchObject({ client_token: 'tok_amex' });
    expect(sent()).not.toHaveProperty('card');
  });

  it.each([
    ['unknown to the sandbox', 'pm_1ABC', 'unknown_payment_method'],
    ['of a card without money', 'tok_visa_declined', 'insufficient_funds'],
  ])('%s is declined', async (_, token, errorCode) => {
    const { transaction } = await byToken(token);

    expect(await shown(transaction?.id)).toMatchObject({ status: 'AUTHORIZATION_DECLINED', errorCode });
  });

  it('is refused without its payment service, and nothing happens', async () => {
    const { userErrors } = await byToken('tok_visa', { paymentServiceId: null });

    expect(userErrors).toMatchObject([
      {
        path: ['input', 'paymentServiceId'],
        message:
          'Must be given for a providerToken: the id of the payment service whose provider made the token.',
      },
    ]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('is sent again after a lost request, and kept sealed until the payment is settled', async () => {
    harness.provider.failNext('lose_request');
    const { transaction } = await byToken('tok_visa');
    const operation = await harness.server.app.db.prisma.operation.findFirstOrThrow({
      where: { transactionId: transaction?.id ?? '' },
    });
    const first = sent();

    await reconcileAfter(harness, 60_000);

    expect(transaction).toMatchObject({ status: 'PROCESSING' });
    expect(operation.sealedCard).toEqual(expect.not.stringContaining('tok_visa'));
    expect(await shown(transaction?.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(sent()).toEqual(first);
    const ended = await harness.server.app.db.prisma.operation.findFirstOrThrow({
      where: { id: operation.id },
    });
    expect(ended.sealedCard).toBeNull();
  });

  it('pays once when the process is killed before the settlement and the key is used again', async () => {
    const remove = setFailpoint('authorize.called', () => {
      remove();
      throw new Error('The process died.');
    });
    await expect(byToken('tok_visa', {}, 'token of a crash')).rejects.toThrow();

    await reconcileAfter(harness, 60_000);
    const again = await byToken('tok_visa', {}, 'token of a crash');
    const other = await byToken('tok_amex', {}, 'token of a crash');

    expect(again).toMatchObject({ replayed: true, transaction: { status: 'AUTHORIZATION_SUCCEEDED' } });
    expect(other.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect(harness.provider.books.size).toBeGreaterThan(0);
    expect(since.calls()).toEqual(['authorize', 'authorize']);
  });
});

const explain = async (input: object = {}) => {
  const { explainRouting } = await harness.ask<{ explainRouting: Explained }>(
    `query ($input: ExplainRoutingInput!) { explainRouting(input: $input) {
      candidates { paymentService { id } } considered { paymentService { id } reasons { code } } } }`,
    { input: { currency: 'USD', ...input } },
  );
  return {
    candidates: explainRouting.candidates.map(({ paymentService }) => paymentService.id),
    reasons: explainRouting.considered.map(({ paymentService, reasons }) => [
      paymentService.id,
      reasons.map(({ code }) => code),
    ]),
  };
};

describe('a card in clear', () => {
  it('goes to no service without the feature, or without the field, and the refusal says what to do', async () => {
    const { userErrors } = await harness.create();

    expect(await explain()).toEqual({
      candidates: [],
      reasons: [
        [unset, ['RAW_CARD_DATA']],
        [featureless, ['RAW_CARD_DATA']],
      ],
    });
    expect(userErrors).toMatchObject([
      {
        code: 'NO_PAYMENT_SERVICE',
        message: expect.stringContaining('Pay with providerToken, a wallet or a redirect.'),
      },
    ]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('goes to a service whose field is true, and to no other after a failure', async () => {
    const allowed = await createService(harness.server, harness.provider.url, {
      fields: { raw_card_data: 'true' },
    });
    const forbidden = await createService(harness.server, harness.provider.url, {
      fields: { raw_card_data: 'false' },
    });

    const { transaction } = await harness.create({ amount: 300_013 });

    const rows = await harness.server.app.db.prisma.operation.findMany({
      where: { transactionId: transaction?.id ?? '' },
    });
    expect(rows.map(({ paymentServiceId }) => paymentServiceId)).toEqual([allowed]);
    expect(await explain()).toMatchObject({ candidates: [allowed] });
    expect((await explain({ providerToken: true })).candidates).toEqual([
      unset,
      featureless,
      allowed,
      forbidden,
    ]);
  });

  it('with the data of an authentication elsewhere passes over services that take no such data', async () => {
    const dataV2 = {
      ...{ cavv: 'AAAA', eci: '05', version: '2.2.0', directoryResponse: 'Y' },
      directoryTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
    };
    const input = { paymentServiceId: featureless, threeDSecure: { dataV2 } };

    const { userErrors } = await harness.create({
      ...input,
      paymentMethod: { providerToken: { token: 'tok_visa' } },
    });

    expect(userErrors).toMatchObject([
      { code: 'NO_PAYMENT_SERVICE', message: expect.stringContaining('takes no data of an authentication') },
    ]);
    const { reasons } = await explain({ providerToken: true, threeDSecureData: true });
    expect(reasons).toContainEqual([featureless, ['THREE_D_SECURE_PASS_THROUGH']]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });
});

describe('a payment in instalments', () => {
  it('is refused where the definition takes none, and one instalment is not', async () => {
    const at = { paymentServiceId: featureless, paymentMethod: { providerToken: { token: 'tok_visa' } } };

    const { userErrors } = await harness.create({ ...at, installmentCount: 2 });

    expect(userErrors).toMatchObject([
      { code: 'NO_PAYMENT_SERVICE', message: expect.stringContaining('takes no instalments') },
    ]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
    const { transaction } = await harness.create({ ...at, installmentCount: 1 });
    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
  });

  it('explains which services take none', async () => {
    const { reasons } = await explain({ providerToken: true, installmentCount: 2 });

    expect(reasons).toContainEqual([featureless, ['INSTALLMENTS']]);
    expect(reasons).toContainEqual([unset, []]);
  });
});

type Service = { readonly paymentService: { readonly id: string } };
type Explained = {
  readonly candidates: readonly Service[];
  readonly considered: readonly (Service & { readonly reasons: readonly { readonly code: string }[] })[];
};

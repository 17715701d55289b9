import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CARD, createService, startHarness, type Harness, type Since } from './harness.ts';
import { reconcileAfter } from './unresolved.ts';

/** The sandbox's card of Cartes Bancaires and Visa. */
const CO_BADGED = '4000002500001001';

let harness: Harness;
/** A service whose provider takes the choice of a network, and one whose provider takes none. */
let choosing: string;
let plain: string;
let since: Since;

beforeAll(async () => {
  harness = await startHarness('mockds-card');
  plain = (await harness.server.app.db.prisma.paymentService.findFirstOrThrow()).id;
  choosing = await createService(harness.server, harness.provider.url, { definitionId: 'mock-card' });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  harness.provider.behave();
  since = await harness.since();
});

const byCard = (network: string | null, more: object = {}, key?: string) =>
  harness.create(
    {
      paymentMethod: { card: { ...CARD, number: CO_BADGED, ...(network !== null && { network }) } },
      ...more,
    },
    key,
  );
const shown = async (id: string | undefined) =>
  (
    await harness.ask<{ transaction: { card: unknown; paymentService: unknown } }>(
      `query ($id: ID!) { transaction(id: $id) { status errorCode card { scheme network } paymentService { id } } }`,
      { id },
    )
  ).transaction;
const sent = () => harness.provider.calls.at(-1);

describe('the choice of a network for a co-badged card', () => {
  it('passes over a service that does not take the choice, reaches the provider and is shown', async () => {
    const { transaction } = await byCard('CARTE_BANCAIRE');

    expect(await shown(transaction?.id)).toEqual({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', errorCode: null, paymentService: { id: choosing } },
      card: { scheme: 'visa', network: 'CARTE_BANCAIRE' },
    });
    expect(sent()).toMatchObject({ operation: 'authorize', network: 'carte_bancaire' });
  });

  it('is left to the provider without a choice', async () => {
    const { transaction } = await byCard(null);

    expect(await shown(transaction?.id)).toMatchObject({
      paymentService: { id: plain },
      card: { scheme: 'visa', network: null },
    });
    expect(sent()).not.toHaveProperty('network');
  });

  it('is sent again after a lost request', async () => {
    harness.provider.failNext('lose_request');
    const { transaction } = await byCard('CARTE_BANCAIRE');

    await reconcileAfter(harness, 60_000);

    expect(await shown(transaction?.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(sent()).toMatchObject({ network: 'carte_bancaire' });
  });

  it('belongs to the request of an idempotency key', async () => {
    const first = await byCard('CARTE_BANCAIRE', {}, 'network');
    const again = await byCard('CARTE_BANCAIRE', {}, 'network');
    const other = await byCard('VISA', {}, 'network');

    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(other.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect(since.calls()).toEqual(['authorize']);
  });

  it.each([
    ['a number of another scheme', 'MASTERCARD', 'The number belongs to another scheme'],
    ['a number of American Express', 'AMEX', 'The number belongs to another scheme'],
  ])('is refused for %s, and nothing happens', async (_, network, message) => {
    const { transaction, userErrors } = await byCard(network);

    expect(transaction).toBeNull();
    expect(userErrors).toMatchObject([
      {
        code: 'INVALID_INPUT',
        path: ['input', 'paymentMethod', 'card', 'network'],
        message: expect.stringContaining(message),
      },
    ]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('is refused where no service takes the choice of this network, and the refusal says so', async () => {
    const { userErrors } = await byCard('BANCONTACT');

    expect(userErrors).toMatchObject([
      { code: 'NO_PAYMENT_SERVICE', message: expect.stringContaining('feature card_network_choice') },
    ]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });

  it('fails at the provider of the sandbox for a card of another network', async () => {
    const service = await createService(harness.server, null, { currencies: ['EUR'] });
    const card = { ...CARD, network: 'CARTE_BANCAIRE' };
    const { transaction } = await harness.create({
      ...{ currency: 'EUR', paymentServiceId: service, paymentMethod: { card } },
    });

    expect(await shown(transaction?.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'unsupported_scheme' },
      card: { network: 'CARTE_BANCAIRE' },
    });
  });

  it('is explained by explainRouting, for cards alone', async () => {
    type Reasons = { readonly paymentService: { readonly id: string }; readonly reasons: readonly object[] };
    const explain = async (input: object) =>
      (
        await harness.server.graphql<{ explainRouting: { considered: readonly Reasons[] } }>(
          `query ($input: ExplainRoutingInput!) { explainRouting(input: $input) {
            considered { paymentService { id } reasons { code } } } }`,
          { input: { currency: 'USD', cardNetwork: 'CARTE_BANCAIRE', ...input } },
          { token: await harness.server.mint() },
        )
      ).body;

    const { data } = await explain({});
    const reasonsOf = (id: string) =>
      data?.explainRouting.considered.find(({ paymentService }) => paymentService.id === id)?.reasons;
    expect(reasonsOf(plain)).toEqual([{ code: 'CARD_NETWORK_CHOICE' }]);
    expect(reasonsOf(choosing)).toEqual([]);
    expect((await explain({ method: 'bank' })).errors).toMatchObject([
      { extensions: { code: 'INVALID_INPUT', refusals: [{ path: ['input', 'cardNetwork'] }] } },
    ]);
  });
});

describe('the choice of a network for a stored card', () => {
  const store = async (method: object): Promise<string> => {
    const { storePaymentMethod: made } = await harness.ask<{
      storePaymentMethod: { paymentMethod: { id: string } | null; userErrors: unknown };
    }>(
      `mutation ($input: StorePaymentMethodInput!) { storePaymentMethod(input: $input) {
        paymentMethod { id } userErrors { message path } } }`,
      { input: { instrument: method } },
    );
    if (!made.paymentMethod) throw new Error(JSON.stringify(made.userErrors));
    return made.paymentMethod.id;
  };
  const pay = (id: string, network: string, more: object = { securityCode: '100' }) =>
    harness.create({ paymentMethod: { stored: { id, network, ...more } } });

  it('reaches the provider and is shown', async () => {
    const id = await store({ card: { number: CO_BADGED, expirationDate: '12/40' } });
    const { transaction } = await pay(id, 'CARTE_BANCAIRE');

    expect(await shown(transaction?.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', paymentService: { id: choosing } },
      card: { scheme: 'visa', network: 'CARTE_BANCAIRE' },
    });
    expect(sent()).toMatchObject({ network: 'carte_bancaire' });
  });

  it.each([
    ['a number of another scheme', { card: { number: CO_BADGED, expirationDate: '12/40' } }, {}],
    [
      'a network token',
      { networkToken: { token: '4111111111111111', expirationDate: '12/40' } },
      { cryptogram: 'AAAA' },
    ],
  ])('is refused for %s, and nothing happens', async (_, method, more) => {
    const id = await store(method);
    since = await harness.since();

    const { userErrors } = await pay(id, 'MASTERCARD', more);

    expect(userErrors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'paymentMethod', 'stored', 'network'] },
    ]);
    expect([since.calls(), await since.eventNames()]).toEqual([[], []]);
  });
});

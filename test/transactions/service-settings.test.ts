import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openMeans } from '../../src/modules/transactions/instrument/sealed-means.ts';
import {
  CARD,
  RECURRING,
  startPayingHarness,
  stored,
  type Input,
  type PayingHarness,
} from '../payment-methods/paying-harness.ts';
import { reconcileAfter } from './unresolved.ts';

const PROFILE = {
  ...{ scheme: 'VISA', merchantAcquirerBin: '412345', merchantAcquirerId: 'acq-1', merchantName: 'The shop' },
  ...{ merchantCountryCode: '840', merchantCategoryCode: '5411', merchantUrl: 'https://shop.example' },
};
const ON_WIRE = {
  ...{ acquirer_bin: '412345', acquirer_merchant_id: 'acq-1', merchant_name: 'The shop' },
  ...{ merchant_country_code: '840', mcc: '5411', three_ds_requestor_url: 'https://shop.example' },
};

let harness: PayingHarness;
/** An open-loop service, and one that is closed. */
let open: string;
let closed: string;

beforeAll(async () => {
  harness = await startPayingHarness('mock-card');
  open = (await harness.server.app.db.prisma.paymentService.findFirstOrThrow()).id;
  closed = await harness.service('mockds-card');
  await change(closed, { paymentMethodTokenizationEnabled: false });
});
afterAll(() => harness.stop());
beforeEach(() => {
  harness.provider.behave();
  harness.requested();
});

async function change(id: string, input: Input): Promise<readonly unknown[]> {
  const { payload } = await harness.ask<{ payload: { userErrors: unknown[] } }>(
    `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) {
      payload: updatePaymentService(id: $id, input: $input) { userErrors { message path } } }`,
    { id, input },
  );
  return payload.userErrors;
}

/** Makes the first payment of a series at a service, and returns the payment method's id. */
async function startedAt(paymentServiceId: string): Promise<string> {
  const first = await harness.paid({ paymentMethod: { card: CARD }, store: true, paymentServiceId });
  harness.requested();
  return first.paymentMethod?.id ?? '';
}

const continueAt = (id: string, paymentServiceId: string, more: Input = {}) =>
  harness.paid({ ...stored(id), ...RECURRING, paymentServiceId, ...more });
/** Lists the ids of earlier payments that the provider got since the last call. */
const referred = () =>
  harness.requested().map(({ stored_credential: given }) => given?.scheme_transaction_id ?? null);

describe('openLoop', () => {
  it('gives the scheme’s id of a payment elsewhere to an open-loop service alone', async () => {
    const fromOpen = await startedAt(open);
    const fromClosed = await startedAt(closed);
    const idOf = async (id: string) => (await harness.method(id))?.['schemeTransactionId'];

    await continueAt(fromOpen, closed);
    await continueAt(fromClosed, closed);
    await continueAt(fromClosed, open);
    await continueAt(fromOpen, open);

    expect(referred()).toEqual([null, await idOf(fromClosed), await idOf(fromClosed), await idOf(fromOpen)]);
  });

  it('takes an id that the merchant brings for an id from elsewhere', async () => {
    const id = await startedAt(closed);
    await harness.ask(
      `mutation ($id: ID!) { updatePaymentMethod(id: $id, input: { schemeTransactionId: "999", transactionLinkId: "link-1" }) {
        userErrors { message } } }`,
      { id },
    );

    await continueAt(id, closed);
    await continueAt(id, open);

    const given = harness.requested().map(({ stored_credential: credential }) => credential);
    expect(given.map((each) => each?.scheme_transaction_id)).toEqual([undefined, '999']);
    expect(given.map((each) => each?.transaction_link_id)).toEqual([undefined, 'link-1']);
  });

  it('decides for each service when a payment continues at the next one', async () => {
    const id = await startedAt(closed);
    const earlier = (await harness.method(id))?.['schemeTransactionId'];
    const other = await harness.service('mockds-card');

    await harness.paid({ ...stored(id), ...RECURRING, amount: 300_013 });
    await change(other, { active: false });

    expect(referred()).toEqual([earlier, earlier, null]);
  });

  it('holds for the repeats of a payment, whatever the service becomes', async () => {
    const id = await startedAt(closed);
    harness.provider.failNext('lose_request');
    await continueAt(id, open);

    await change(open, { openLoop: false });
    await reconcileAfter(harness, 60_000);
    await change(open, { openLoop: true });

    const [first, second] = referred();
    expect([first, second]).toEqual([expect.stringMatching(/^\d{15}$/), first]);
  });
});

it('terms are absent from means that an earlier release sealed, and the earlier payment still counts', async () => {
  const { vault } = harness.server.app;
  const context = {
    merchantAccountId: 'default',
    table: 'operation',
    column: 'sealed_card',
    rowId: open,
  } as const;
  const sealed = await vault.seal(
    context,
    JSON.stringify({ number: '4111111111111111', expirationDate: '12/40' }),
  );

  expect(await openMeans(vault, 'default', open, sealed)).toEqual({
    ...{ bank: null, token: null, wallet: null, networkToken: null },
    card: { number: '4111111111111111', expirationDate: '12/40', securityCode: null },
    terms: {
      ...{ merchantProfile: null, refersToEarlier: true, transactionLinkId: null },
      authentication: 'automatic',
    },
  });
});

describe('merchantProfile', () => {
  it('goes to the provider and into the request for an authentication, by the card’s scheme', async () => {
    expect(await change(closed, { merchantProfile: [PROFILE], threeDSecureEnabled: true })).toEqual([]);
    const card = { ...CARD, number: '4111111111101203' };

    const { id } = await harness.paid({ paymentMethod: { card }, paymentServiceId: closed });
    const other = { ...CARD, number: '5555555555554444' };
    await harness.paid({ paymentMethod: { card: other }, paymentServiceId: closed });

    const { transaction } = await harness.ask<{
      transaction: { events: { nodes: { name: string; context: Record<string, unknown> }[] } };
    }>('query ($id: ID!) { transaction(id: $id) { events { nodes { name context } } } }', { id });
    const step = transaction.events.nodes.find(({ name }) => name === 'three-d-secure-preparation-request');
    expect(step?.context).toMatchObject({ request: ON_WIRE });
    expect(harness.requested().map(({ merchant_profile: profile }) => profile)).toEqual([ON_WIRE, undefined]);
  });

  it('is the same in the repeats of a payment, after a change', async () => {
    await change(open, { merchantProfile: [PROFILE] });
    harness.provider.failNext('lose_request');
    await harness.paid({ paymentMethod: { card: CARD }, paymentServiceId: open });

    await change(open, { merchantProfile: null });
    await reconcileAfter(harness, 60_000);

    expect(harness.requested().map(({ merchant_profile: profile }) => profile)).toEqual([ON_WIRE, ON_WIRE]);
  });

  it('is refused for a definition whose provider reads no profile', async () => {
    const wallet = await harness.service('mock-paypal');

    expect(await change(wallet, { merchantProfile: [PROFILE] })).toEqual([
      {
        message:
          'Must be empty: the provider of the definition reads no merchant profile (feature merchant_profile).',
        path: ['input', 'merchantProfile'],
      },
    ]);
    const row = await harness.server.app.db.prisma.paymentService.findFirstOrThrow({ where: { id: wallet } });
    expect(row.merchantProfile).toBeNull();
  });
});

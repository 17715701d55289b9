import { describe, expect, it } from '@jest/globals';
import { openShop } from '../connectors/kit/shop.ts';
import { startMollie } from '../connectors/mollie/start.ts';
import { CARD } from './harness.ts';

// A card that the buyer gives on the provider's page is a redirect with the method `card`.

const shop = await openShop((now) => startMollie({ now }, 'mollie-card'));
const { harness, service, double, prisma } = shop;

const PAGE = { paymentMethod: { redirect: { method: 'card' } }, redirectUrl: 'https://shop.example/back' };

const PAID = `mutation ($input: CreateTransactionInput!) { payload: createTransaction(input: $input) {
  transaction { id status method instrumentType paymentService { id } }
  userErrors { code path ... on NoPaymentService { passedOver { paymentService { id } codes } } } } }`;

type Payload = {
  readonly transaction: { readonly id: string; readonly paymentService: { readonly id: string } } | null;
  readonly userErrors: readonly {
    readonly code: string;
    readonly passedOver?: readonly {
      readonly paymentService: { readonly id: string };
      readonly codes: readonly string[];
    }[];
  }[];
};

const create = async (input: object): Promise<Payload> =>
  (
    await harness.ask<{ payload: Payload }>(PAID, {
      input: { amount: 1299, currency: 'EUR', country: 'US', intent: 'AUTHORIZE', ...input },
    })
  ).payload;

/** The service of the sandbox, which takes cards in clear and has no page for them. */
const other = async (): Promise<string> =>
  (await prisma.paymentService.findFirstOrThrow({ where: { definitionId: 'mock-card' } })).id;

describe('a card on the page of the provider', () => {
  it('goes to the service with such a page, and the buyer pays there', async () => {
    const { transaction } = await create(PAGE);

    expect(transaction).toMatchObject({
      ...{ status: 'BUYER_APPROVAL_PENDING', method: 'card', instrumentType: 'REDIRECT' },
      paymentService: { id: service.id },
    });
    const payment = double.payments().at(-1);
    double.hands.decide(payment?.id ?? '', 'approve');
    await fetch(payment?.redirectUrl ?? '', { redirect: 'manual' });
    expect(await harness.transaction(transaction?.id ?? '')).toMatchObject({
      ...{
        status: 'AUTHORIZATION_SUCCEEDED',
        authorizedAmount: 1299,
        card: { scheme: 'visa', lastFour: '9996' },
      },
    });
  });

  it('passes over a service without such a page, with the reason', async () => {
    const { length } = double.payments();

    const { transaction, userErrors } = await create({ ...PAGE, paymentServiceId: await other() });

    expect(transaction).toBeNull();
    expect(userErrors[0]?.code).toBe('NO_PAYMENT_SERVICE');
    expect(userErrors[0]?.passedOver?.flatMap(({ codes }) => codes)).toContain('CARD_PAGE');
    expect(double.payments()).toHaveLength(length);
  });

  it('does not make the service one for cards in clear', async () => {
    const { userErrors } = await create({ paymentMethod: { card: CARD }, paymentServiceId: service.id });

    expect(userErrors[0]?.passedOver?.flatMap(({ codes }) => codes)).toContain('RAW_CARD_DATA');
  });
});

type Explained = {
  readonly candidates: readonly { readonly paymentService: { readonly id: string } }[];
  readonly considered: readonly {
    readonly paymentService: { readonly id: string };
    readonly reasons: readonly { readonly code: string }[];
  }[];
};

const explain = async (input: object): Promise<Explained> =>
  (
    await harness.ask<{ explainRouting: Explained }>(
      `query ($input: ExplainRoutingInput!) { explainRouting(input: $input) {
        candidates { paymentService { id } } considered { paymentService { id } reasons { code } } } }`,
      { input: { currency: 'EUR', country: 'US', ...input } },
    )
  ).explainRouting;

describe('the explanation of a card on the page of the provider', () => {
  const codesOf = ({ considered }: Explained, id: string) =>
    considered.find(({ paymentService }) => paymentService.id === id)?.reasons.map(({ code }) => code);

  it('leads to the service that the payment goes to', async () => {
    const explained = await explain({ redirect: true });
    const { transaction } = await create(PAGE);

    expect(explained.candidates).toEqual([{ paymentService: { id: transaction?.paymentService.id } }]);
    expect(codesOf(explained, await other())).toContain('CARD_PAGE');
    expect(codesOf(await explain({}), service.id)).toEqual(['RAW_CARD_DATA']);
  });

  it('has the reasons with which the payment itself is refused', async () => {
    const paymentServiceId = await other();
    const { userErrors } = await create({ ...PAGE, paymentServiceId });

    const explained = await explain({ redirect: true, paymentServiceId });

    const refused = userErrors[0]?.passedOver?.find((each) => each.paymentService.id === paymentServiceId);
    expect(codesOf(explained, paymentServiceId)).toEqual(refused?.codes);
  });

  it.each([
    { method: 'ideal', redirect: true },
    { redirect: true, providerToken: true },
    { redirect: true, cardNetwork: 'VISA' },
  ])('is refused for what no payment is: %j', async (input) => {
    await expect(explain(input)).rejects.toThrow('Must be false');
  });
});

it('a token of the software in the client pays without the page', async () => {
  const { transaction } = await create({
    ...{ paymentMethod: { providerToken: { token: 'tkn_direct' } }, paymentServiceId: service.id },
    redirectUrl: 'https://shop.example/back',
  });

  expect(transaction).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', instrumentType: 'CARD_TOKEN' });
});

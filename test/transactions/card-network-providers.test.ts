import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAdyen } from '../../src/connectors/adyen/index.ts';
import { createStripe } from '../../src/connectors/stripe/index.ts';
import { CREDENTIALS } from '../connectors/adyen/contract-double.ts';
import { createAdyenDouble } from '../connectors/adyen/double.ts';
import { createStripeDouble } from '../connectors/stripe/double.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const stripe = createStripeDouble();
const adyen = createAdyenDouble();

let server: TestServer;
let services: { readonly stripe: string; readonly adyen: string };
let stop: () => Promise<void>;

beforeAll(async () => {
  const [atStripe, atAdyen] = await Promise.all([stripe.listen(), adyen.listen()]);
  const hosts = { checkout: `${atAdyen.url}/v71`, disputes: `${atAdyen.url}/disputes`, reports: atAdyen.url };
  server = await startTestServer({
    connectors: [
      createStripe({ api: atStripe.url, files: atStripe.url }),
      createAdyen({ hosts: () => hosts }),
    ],
  });
  services = {
    stripe: await service('stripe-card', { secret_key: stripe.secretKey, raw_card_data: 'true' }),
    adyen: await service('adyen-card', { ...CREDENTIALS, raw_card_data: 'true' }),
  };
  stop = async () => {
    await server.stop();
    await Promise.all([atStripe.close(), atAdyen.close()]);
  };
});
afterAll(() => stop());

async function service(definition: string, credentials: Readonly<Record<string, string>>): Promise<string> {
  const { body } = await server.graphql<{ made: { paymentService: { id: string } | null } }>(
    `mutation ($input: CreatePaymentServiceInput!) { made: createPaymentService(input: $input) {
      paymentService { id } userErrors { message path } } }`,
    {
      input: {
        ...{ displayName: definition, paymentServiceDefinitionId: definition },
        fields: Object.entries(credentials).map(([key, value]) => ({ key, value })),
        ...{ acceptedCurrencies: ['EUR'], acceptedCountries: ['FR', 'BE'] },
      },
    },
  );
  if (!body.data?.made.paymentService) throw new Error(JSON.stringify(body));
  return body.data.made.paymentService.id;
}

const pay = async (paymentServiceId: string | null, network: string, number: string) =>
  (
    await server.graphql<{ paid: unknown }>(
      `mutation ($input: CreateTransactionInput!) { paid: createTransaction(input: $input) {
        transaction { status paymentService { id } card { network } } userErrors { code } } }`,
      {
        input: {
          ...{ amount: 1299, currency: 'EUR', paymentServiceId },
          paymentMethod: { card: { number, expirationDate: '03/30', securityCode: '737', network } },
        },
      },
    )
  ).body.data?.paid;

const paidAt = (id: string, network: string) => ({
  transaction: { status: 'AUTHORIZATION_SUCCEEDED', paymentService: { id }, card: { network } },
  userErrors: [],
});

describe('the network that the buyer chose', () => {
  it('reaches Stripe in the request that pays', async () => {
    expect(await pay(services.stripe, 'CARTE_BANCAIRE', '4242424242424242')).toEqual(
      paidAt(services.stripe, 'CARTE_BANCAIRE'),
    );

    const [intent] = stripe.requests.filter(({ path }) => path === '/v1/payment_intents');
    expect(new URLSearchParams(intent?.body).get('payment_method_options[card][network]')).toBe(
      'cartes_bancaires',
    );
  });

  it('reaches Adyen as the brand of the card', async () => {
    expect(await pay(services.adyen, 'CARTE_BANCAIRE', '4111111145551142')).toEqual(
      paidAt(services.adyen, 'CARTE_BANCAIRE'),
    );

    const [payment] = adyen.calls.filter(({ path }) => path.endsWith('/payments'));
    expect(JSON.parse(payment?.body ?? '{}')).toMatchObject({
      paymentMethod: { type: 'scheme', number: '4111111145551142', brand: 'cartebancaire' },
    });
  });

  it('leads past Stripe, which has no name for Bancontact', async () => {
    expect(await pay(null, 'BANCONTACT', '4111111145551142')).toEqual(paidAt(services.adyen, 'BANCONTACT'));

    expect(JSON.parse(adyen.calls.at(-1)?.body ?? '{}')).toMatchObject({ paymentMethod: { brand: 'bcmc' } });
  });
});

import { afterAll, describe, expect, it } from '@jest/globals';
import { startAdyen } from '../connectors/adyen/start.ts';
import { connect } from '../connectors/kit/service.ts';
import { startStripe } from '../connectors/stripe/start.ts';
import { startTestServer } from '../support/server.ts';

const [atStripe, atAdyen] = await Promise.all([startStripe(), startAdyen()]);
const [stripe, adyen] = [atStripe.double, atAdyen.double];
const server = await startTestServer({ connectors: [atStripe.connector, atAdyen.connector] });
afterAll(async () => {
  await server.stop();
  await Promise.all([atStripe.close(), atAdyen.close()]);
});

async function ask<Data>(document: string, variables?: Readonly<Record<string, unknown>>): Promise<Data> {
  const { body } = await server.graphql<Data>(document, variables);
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

const TAKEN = { acceptedCountries: ['FR', 'BE'] };
const services = {
  stripe: (await connect({ ask }, 'stripe-card', atStripe.fields, TAKEN)).id,
  adyen: (await connect({ ask }, 'adyen-card', atAdyen.fields, TAKEN)).id,
};

const pay = async (paymentServiceId: string | null, network: string, number: string) =>
  (
    await ask<{ paid: unknown }>(
      `mutation ($input: CreateTransactionInput!) { paid: createTransaction(input: $input) {
        transaction { status paymentService { id } card { network } } userErrors { code } } }`,
      {
        input: {
          ...{ amount: 1299, currency: 'EUR', paymentServiceId },
          paymentMethod: { card: { number, expirationDate: '03/30', securityCode: '737', network } },
        },
      },
    )
  ).paid;

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

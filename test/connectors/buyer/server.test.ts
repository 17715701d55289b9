import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startThreeProviders } from '../kit/three-providers.ts';

let world: Awaited<ReturnType<typeof startThreeProviders>>;
beforeAll(async () => {
  world = await startThreeProviders();
});
afterAll(() => world.stop());

const VEGAS = { line1: 'Main St', houseNumberOrName: '12', city: 'Las Vegas', country: 'US' };

const pay = (provider: 'stripe' | 'adyen' | 'paypal', input: object) => world.pay(provider, input);

const buyerOf = (billingDetails: object) => ({ buyer: { billingDetails } });

/** Returns the parameters of the last request to a path of Stripe. */
const sentToStripe = (path: string) =>
  Object.fromEntries(
    new URLSearchParams(world.stripe.requests.filter((each) => each.path === path).at(-1)?.body),
  );

describe('a payment at Stripe', () => {
  it.each([
    ['zoë@bücher.example', undefined],
    ['no-at-sign', undefined],
    ['zoe@bücher.example', 'zoe@xn--bcher-kva.example'],
  ])('of a buyer with the address %s goes on', async (emailAddress, sent) => {
    const paid = await pay('stripe', buyerOf({ firstName: 'Zoë', emailAddress }));
    expect(paid).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    const form = sentToStripe('/v1/payment_methods');
    expect([form['billing_details[name]'], form['billing_details[email]']]).toEqual(['Zoë', sent]);
  });

  it('has the state as letters, and the house number in line 1', async () => {
    const address = { ...VEGAS, stateCode: 'US-NV' };
    const paid = await pay('stripe', {
      ...buyerOf({ address }),
      shippingDetails: { firstName: 'Ada', address: { ...VEGAS, state: 'Nevada' } },
    });
    expect(paid).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(sentToStripe('/v1/payment_methods')).toMatchObject({
      ...{ 'billing_details[address][state]': 'NV', 'billing_details[address][line1]': '12 Main St' },
    });
    expect(sentToStripe('/v1/payment_intents')).toMatchObject({ 'shipping[address][state]': 'NV' });
  });

  it('has as much of the statement as the prefix of the account leaves', async () => {
    const statementDescriptor = { name: 'Acme Books of London' };
    expect(await pay('stripe', { statementDescriptor })).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(sentToStripe('/v1/payment_intents')).toMatchObject({
      statement_descriptor_suffix: 'Acme Books of Lo',
    });
  });
});

it('a payment at Adyen has a whole address in Hong Kong without a postal code', async () => {
  const address = { line1: '8 Nathan Road', city: 'Kowloon', country: 'HK' };
  const paid = await pay('adyen', { ...buyerOf({ address }), country: 'HK' });
  expect(paid).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
  const sent = world.sentToAdyen.filter(({ path }) => path.endsWith('/payments')).at(-1);
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({
    billingAddress: {
      ...{ street: 'Nathan Road', houseNumberOrName: '8', city: 'Kowloon', postalCode: 'N/A', country: 'HK' },
    },
    countryCode: 'HK',
  });
});

it.each([
  [{}, undefined],
  [{ postalCode: '89101' }, '89101'],
])('a payment at PayPal to the United States with %j goes on', async (more, sent) => {
  const paid = await pay('paypal', {
    ...{ paymentMethod: { redirect: { method: 'paypal' } }, redirectUrl: 'https://shop.example/back' },
    shippingDetails: { firstName: 'Ada', address: { ...VEGAS, stateCode: 'US-NV', ...more } },
  });
  expect(paid).toMatchObject({ status: 'BUYER_APPROVAL_PENDING' });
  const order = world.paypal.double.requests.filter(({ path }) => path === '/v2/checkout/orders').at(-1);
  const { purchase_units: units, payment_source: source } = JSON.parse(order?.body ?? '') as {
    readonly purchase_units: readonly { readonly shipping?: { readonly address: object } }[];
    readonly payment_source: object;
  };
  const address = { admin_area_1: 'NV', address_line_1: '12 Main St', postal_code: sent };
  if (sent === undefined) expect(units[0]).not.toHaveProperty('shipping');
  else expect(units[0]?.shipping?.address).toMatchObject(address);
  expect(source).toMatchObject({
    paypal: {
      experience_context: {
        shipping_preference: sent === undefined ? 'NO_SHIPPING' : 'SET_PROVIDED_ADDRESS',
      },
    },
  });
});

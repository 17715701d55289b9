import { describe, expect, it } from '@jest/globals';
import { RECURRING, stored } from '../../payment-methods/paying-harness.ts';
import { connect } from '../kit/service.ts';
import { openShop } from '../kit/shop.ts';
import { NETWORK_TOKEN } from './objects.ts';
import { startStripe } from './start.ts';

/** A stored card, whose scheme gave this id to a payment at another provider. */
const EARLIER = { schemeTransactionId: '119528868122817', schemeTransactionIdScheme: 'VISA' };
const CARD = { number: '4242 4242 4242 4242', expirationDate: '12/40', securityCode: '100' };

const gates = ['network_tokens', 'network_transaction_ids'] as const;
const { double, harness } = await openShop((now) => startStripe({ now, gates }), {
  fields: { raw_card_data: 'false' },
});

type Settings = { readonly fields?: Readonly<Record<string, string>>; readonly flags?: object };

/** Creates a payment service at Stripe that takes cards in clear, for euros alone. */
async function serviceWith({ fields = {}, flags = {} }: Settings): Promise<string> {
  const given = { secret_key: double.secretKey, raw_card_data: 'true', ...fields };
  return (await connect(harness, 'stripe-card', given, { acceptedCountries: ['US'], ...flags })).id;
}

const bookedLast = () => double.books().payments.at(-1);
const NETWORK_TOKENS = { openLoop: true, networkTokensEnabled: true };
const input = (paymentServiceId: string) => ({
  ...{ currency: 'EUR', paymentServiceId },
  paymentMethod: { networkToken: NETWORK_TOKEN },
});

describe('a network token', () => {
  it('pays where the field and the flag of the service are on', async () => {
    const id = await serviceWith({ fields: { network_tokens: 'true' }, flags: NETWORK_TOKENS });

    const paid = await harness.paid(input(id));

    expect(paid).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', instrumentType: 'NETWORK_TOKEN' });
    expect(paid['card']).toMatchObject({ bin: null, lastFour: null });
    expect(bookedLast()).toMatchObject({ isByNetworkToken: true, held: 1299 });
  });

  it.each([
    ['the field', { flags: NETWORK_TOKENS }],
    ['the field, which is off', { fields: { network_tokens: 'false' }, flags: NETWORK_TOKENS }],
    ['the flag', { fields: { network_tokens: 'true' } }],
  ])('never reaches a service without %s, and routing says why', async (_, settings) => {
    const id = await serviceWith(settings);
    const before = double.requests.length;

    const refused = await harness.pay(input(id));

    expect(refused).toMatchObject({ transaction: null, userErrors: [{ code: 'NO_PAYMENT_SERVICE' }] });
    const { considered } = await explain({ method: 'network_token' });
    const [own] = considered.filter(({ paymentService }) => paymentService.id === id);
    expect(own).toMatchObject({ accepts: false, reasons: [{ code: 'NETWORK_TOKENS' }] });
    expect(own?.reasons[0]?.message).toContain('the field of that name');
    expect(double.requests).toHaveLength(before);
  });
});

type Explained = {
  readonly considered: readonly {
    readonly paymentService: { readonly id: string };
    readonly accepts: boolean;
    readonly reasons: readonly { readonly code: string; readonly message: string }[];
  }[];
};

async function explain(given: object): Promise<Explained> {
  const { answer } = await harness.ask<{ answer: Explained }>(
    `query ($input: ExplainRoutingInput!) { answer: explainRouting(input: $input) {
      considered { paymentService { id } accepts reasons { code message } } } }`,
    { input: { currency: 'EUR', ...given } },
  );
  return answer;
}

describe("the scheme's id of a payment elsewhere", () => {
  const pay = async (paymentServiceId: string) => {
    const { id } = await harness.store({ instrument: { card: CARD } });
    await harness.ask(
      `mutation ($id: ID!, $input: UpdatePaymentMethodInput!) {
        updatePaymentMethod(id: $id, input: $input) { userErrors { message } } }`,
      { id, input: EARLIER },
    );
    return harness.paid({ ...stored(id), ...RECURRING, currency: 'EUR', paymentServiceId });
  };
  const fields = { network_transaction_ids: 'true' };

  it.each([
    ['goes to Stripe by an open loop and the field', { fields, flags: { openLoop: true } }, true],
    ['stays here without the field', { flags: { openLoop: true } }, false],
    ['stays here without an open loop', { fields }, false],
  ])('%s', async (_, settings, isSent) => {
    const paid = await pay(await serviceWith(settings));

    expect(bookedLast()).toMatchObject({
      ...{ earlierId: isSent ? EARLIER.schemeTransactionId : null, held: 1299 },
    });
    expect(paid).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', schemeTransactionId: expect.stringMatching(/^\d{15}$/) },
    });
  });
});

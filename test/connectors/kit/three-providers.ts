import { sandboxConnectors } from '../../support/sandbox-connectors.ts';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { CARD, startHarness } from '../../transactions/harness.ts';
import { startAdyen } from '../adyen/start.ts';
import { startSignedDouble } from '../paypal/stand.ts';
import { startStripe } from '../stripe/start.ts';
import { connect } from './service.ts';

/** Starts a whole service with the doubles of three providers. They refuse what the providers refuse. */
export async function startThreeProviders() {
  const clock = createShiftedClock();
  const now = () => clock.now();
  const [stripe, adyen, paypal] = await Promise.all([
    startStripe({ now }),
    startAdyen({ now }),
    startSignedDouble({ now }),
  ]);
  const atPayPal = paypal.connectorAt({ sandbox: paypal.url, production: paypal.url });
  const connectors = [...sandboxConnectors, stripe.connector, adyen.connector, atPayPal];
  const harness = await startHarness('mock-card', { clock, connectors });
  const serviceAt = async (
    definition: string,
    fields: Readonly<Record<string, string>>,
    acceptedCurrencies = ['USD'],
  ) => {
    const taken = { acceptedCurrencies, acceptedCountries: ['US', 'HK'] };
    return (await connect(harness, definition, fields, taken)).id;
  };
  const { clientId, clientSecret } = paypal.double;
  const services = {
    stripe: await serviceAt(
      'stripe-card',
      {
        ...{ ...stripe.fields, statement_prefix: 'ACME' },
        ...{ multiple_captures: 'true', incremental_authorization: 'true' },
      },
      ['USD', 'KWD'],
    ),
    adyen: await serviceAt('adyen-card', adyen.fields),
    paypal: await serviceAt('paypal-paypal', { client_id: clientId, client_secret: clientSecret }),
  };
  /** Creates a further payment service at a provider, with another field. */
  const connectWith = (provider: 'stripe' | 'adyen', fields: Readonly<Record<string, string>>) =>
    serviceAt(`${provider}-card`, { ...(provider === 'stripe' ? stripe : adyen).fields, ...fields });
  /** Pays 12.99 USD by card at one of the providers. */
  const pay = async (provider: keyof typeof services, input: object) => {
    const { transaction } = await harness.create({
      ...{ amount: 1299, currency: 'USD', paymentServiceId: services[provider] },
      ...{ paymentMethod: { card: CARD }, ...input },
    });
    return transaction;
  };
  return {
    ...{ harness, stripe: stripe.double, adyen: adyen.double, sentToAdyen: adyen.double.calls },
    ...{ paypal, services, pay, connectWith },
    stop: async () => {
      await harness.stop();
      await Promise.all([stripe.close(), adyen.close(), paypal.close()]);
    },
  };
}

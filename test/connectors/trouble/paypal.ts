import type { ShiftedClock } from '../../support/shifted-clock.ts';
import { startSignedDouble } from '../paypal/stand.ts';
import type { PayPalEvent } from '../paypal/world.ts';
import { byRedirect, byStoredMethod, movable, type Party } from './party.ts';

/** The calls that move money. A capture reads its order first, and a failed read fails the capture. */
const WORK = /^POST \/v2\//;

export async function startPayPal(clock: ShiftedClock): Promise<Party> {
  const signed = await startSignedDouble({ now: () => clock.now() });
  const { double, url } = signed;
  const { address, moveTo } = movable(url);
  const hosts = {
    get sandbox() {
      return address();
    },
    get production() {
      return address();
    },
  };
  return {
    ...{ name: 'PayPal', definitionId: 'paypal-paypal', currency: 'USD', moveTo },
    connector: signed.connectorAt(hosts),
    fields: {
      ...{ client_id: double.clientId, client_secret: double.clientSecret },
      ...{ webhook_id: double.webhookId, merchant_id: double.merchantId },
    },
    means: (harness, paymentServiceId) =>
      byStoredMethod(harness, { paymentServiceId, ...byRedirect('paypal') }, () =>
        double.hands.decide(double.books().payments.at(-1)?.id ?? '', 'approve'),
      ),
    failNext: (...troubles) =>
      // The first refusal of a token leads to a new token.
      double.failNext(
        troubles.flatMap((each) => (each === 'unauthorized' ? [each, each] : [each])),
        WORK,
      ),
    behave: () => double.behave(),
    payments: () => double.books().payments.filter(({ authorized }) => authorized > 0).length,
    captured: () => double.books().payments.reduce((sum, { captured }) => sum + captured, 0),
    access: {
      expireNext: () => double.failNext(['expired_token'], WORK),
      given: () => double.tokensIssued(),
      keys: () =>
        double.requests
          .filter(({ method, path }) => WORK.test(`${method} ${path}`))
          .map(({ headers }) => headers['paypal-request-id'] ?? ''),
    },
    webhooks: () => double.webhooks(),
    // The endpoint of a platform gets the events of all its merchants.
    ofAnother: (owed) =>
      owed.map(({ body }) => {
        const event = JSON.parse(body.replaceAll(double.merchantId, 'OTHERMERCHANT1')) as PayPalEvent;
        return double.certificate.sign({ ...event, id: `${event.id}OTHER` });
      }),
    close: () => signed.close(),
  };
}

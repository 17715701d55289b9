import { createMollie } from '../../../src/connectors/mollie/index.ts';
import type { ShiftedClock } from '../../support/shifted-clock.ts';
import { createMollieDouble } from '../mollie/double.ts';
import { WEBHOOK_SECRET } from '../mollie/start.ts';
import { byRedirect, byStoredMethod, movable, type Party } from './party.ts';

/** The calls that move money. */
const WORK = /^POST \/v2\/payments/;

export async function startMollie(clock: ShiftedClock): Promise<Party> {
  const double = createMollieDouble({ now: () => clock.now() });
  const server = await double.listen();
  const { address, moveTo } = movable(server.url);
  const taken = (): number =>
    double
      .payments()
      .flatMap(({ captures }) => captures.filter(({ status }) => status !== 'failed'))
      .reduce((sum, { amount }) => sum + amount.minor, 0);
  return {
    ...{ name: 'Mollie', definitionId: 'mollie-card', currency: 'EUR', moveTo, onlyNames: true },
    connector: createMollie(address),
    fields: { api_key: double.apiKey, webhook_secret: WEBHOOK_SECRET },
    means: (harness, paymentServiceId) =>
      byStoredMethod(harness, { paymentServiceId, currency: 'EUR', ...byRedirect('card') }, () =>
        double.hands.decide(double.payments().at(-1)?.id ?? '', 'approve'),
      ),
    failNext: (...troubles) => double.failNext(troubles, WORK),
    behave: () => double.behave(),
    revokeKey: () => double.failNext(['expired_token'], WORK),
    payments: () => double.payments().filter(({ authorizedAt }) => authorizedAt !== null).length,
    captured: taken,
    webhooks: () => {
      double.hands.decideOpen();
      return double.webhooks();
    },
    ofAnother: (owed) => owed.map((webhook) => ({ ...webhook, body: 'id=tr_ofAnotherAccount' })),
    close: () => server.close(),
  };
}

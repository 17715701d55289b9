import { createBraintree } from '../../../src/connectors/braintree/index.ts';
import type { ShiftedClock } from '../../support/shifted-clock.ts';
import { createBraintreeDouble, WORK } from '../braintree/double.ts';
import { fieldsOf } from '../braintree/start.ts';
import { had, HOUR_MS } from '../braintree/world.ts';
import { byCard, movable, type Party } from './party.ts';

/** The calls that move money, and those of a look-up. A capture reads its transaction first, and a failed read fails it. */
const WORK_OR_SEARCH = new RegExp(`${WORK.source}|search$`);

export async function startBraintree(clock: ShiftedClock): Promise<Party> {
  const double = createBraintreeDouble({ now: () => clock.now() });
  const server = await double.listen();
  const { address, moveTo } = movable(server.url);
  const hosts = {
    get production() {
      return address();
    },
    get sandbox() {
      return address();
    },
  };
  return {
    ...{ name: 'Braintree', definitionId: 'braintree-card', currency: 'USD', moveTo },
    connector: createBraintree(hosts),
    fields: fieldsOf(double),
    means: byCard,
    // A payment that the search does not show is paid again only after this time.
    recoversAfterMs: 3 * HOUR_MS,
    failNext: (...troubles) => double.failNext(troubles, WORK_OR_SEARCH),
    behave: () => double.behave(),
    revokeKey: () => double.failNext(['expired_token'], WORK),
    payments: () => double.transactions().filter((each) => had(each, 'AUTHORIZED')).length,
    captured: () =>
      double
        .transactions()
        .filter((each) => had(each, 'SUBMITTED_FOR_SETTLEMENT'))
        .reduce((sum, { minor }) => sum + minor, 0),
    webhooks: () => {
      double.hands.settleAll();
      return double.webhooks();
    },
    close: () => server.close(),
  };
}

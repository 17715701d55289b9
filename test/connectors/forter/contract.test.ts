import { describe } from '@jest/globals';
import { pino } from 'pino';
import type { AntiFraudConnector } from '../../../src/connectors/anti-fraud/connector.ts';
import { createForter } from '../../../src/connectors/forter/index.ts';
import { encloseAntiFraud } from '../../../src/connectors/packages/enclose.ts';
import { strangerAt } from '../../support/check-request.ts';
import {
  describeAntiFraudContract,
  type AntiFraudProvider,
  type CheckTrouble,
} from '../anti-fraud-contract.ts';
import type { DoubleFault } from '../double-faults.ts';
import { API_KEY, SITE_ID, startForter, type ForterDouble } from './double.ts';

/** The connector tries twice after the first three. An unreadable answer is an answer. */
const FAULTS: Readonly<Record<CheckTrouble, readonly DoubleFault[]>> = {
  server_error: ['error_before_work', 'error_after_work'],
  lost: ['lose_request', 'lose_answer'],
  hang: ['hang', 'hang'],
  unreadable: ['truncated'],
};
const EMAILS = { accept: 'approve', reject: 'decline', review: 'pending' } as const;

/** Runs the contract against a double. `within` may enclose the connector. */
function run(double: ForterDouble, within: (connector: AntiFraudConnector) => AntiFraudConnector): void {
  const provider: AntiFraudProvider = {
    credentials: { site_id: SITE_ID, api_key: API_KEY },
    buyer: (decision) => strangerAt(`${EMAILS[decision]}@forter.com`),
    failNext: (trouble) => double.failNextOf('', ...FAULTS[trouble]),
    keys: () => double.calls.map(({ path }) => path.split('/').at(-1) ?? ''),
    requests: () => double.calls.map(({ body }) => body),
    ended: (orderId, decision) =>
      double.callback({ orderId, action: decision === 'accept' ? 'approve' : 'decline' }),
    release: () => double.release(),
    close: () => double.close(),
  };
  describeAntiFraudContract({
    connector: within(createForter(() => double.url)),
    start: () => Promise.resolve(provider),
  });
}

const [own, other] = [await startForter(), await startForter()];

run(own, (connector) => connector);

const HOSTS = ['127.0.0.1:*'];
const SURROUNDINGS = { environment: 'sandbox', log: pino({ level: 'silent' }) } as const;

describe('in a package', () => {
  run(other, (connector) =>
    encloseAntiFraud(
      { ...connector, hosts: { production: [], sandbox: HOSTS } },
      { name: '@acme/paygraph-acme', version: '1.0.0' },
      SURROUNDINGS,
    ),
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeContract } from '../../../contract.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../../../contract-faults.ts';
import type { ContractProvider, Decision } from '../../../contract-provider.ts';
import { describeWebhookContract } from '../../../webhook-contract.ts';
import { createSkeleton } from '../connector/index.ts';
import { unwritten } from '../connector/unwritten.ts';
import type { Verb } from '../../../../../src/connectors/interface/requests.ts';
import { createSkeletonDouble } from './double.ts';

const HERE = import.meta.dirname;
const CONNECTOR = join(HERE, '../connector');

/** Lists the parts that nobody has written yet, each as a sentence. */
const unwrittenParts = (): readonly string[] =>
  [CONNECTOR, HERE].flatMap((folder) =>
    readdirSync(folder).flatMap((file) =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/unwritten\(\s*'([^']+)',\s*(['"])(.+?)\2,?\s/g),
      ].map(([, part, , needs]) => `Write ${part}: ${needs}.`),
    ),
  );

it('has no unwritten part', () => {
  expect(unwrittenParts()).toEqual([]);
});

// The contracts need every part. Delete this condition, the test and the list with `unwritten.ts`.
if (unwrittenParts().length === 0) describeContracts();

function describeContracts(): void {
  let url = '';
  describeContract({
    name: 'its double',
    connector: createSkeleton(() => url),
    faults: DOUBLE_FAULTS,
    // README.md of the suites says how a provider differs from others, such as one that only receives.
    manner: () => ({ keepsPayments: true }),
    start: async (): Promise<ContractProvider> => {
      const double = createSkeletonDouble();
      const server = await double.listen();
      ({ url } = server);
      return {
        credentials: { api_key: 'a secret of the test', webhook_secret: 'another secret of the test' },
        money: (verb, decision) => moneyFor(verb, decision),
        failNext: (...faults) => double.failNext(...doubleFaults(faults)),
        release: () => double.release(),
        keys: () => double.calls.flatMap((call) => call.headers['idempotency-key'] ?? []),
        done: () => double.done(),
        webhooks: () => double.webhooks(),
        close: () => server.close(),
      };
    },
  });

  describeWebhookContract({
    connector: createSkeleton(() => url),
    credentials: { api_key: 'a secret of the test', webhook_secret: 'another secret of the test' },
    body: (words) =>
      unwritten('body in contract.test.ts', 'an event about a capture, with these words', words),
    sign: (rawBody, now) =>
      unwritten(
        'sign in contract.test.ts',
        "the bytes and the headers with the provider's signature",
        rawBody,
        now,
      ),
  });
}

/** Returns an amount that the double decides so. Null when the provider never decides so for this verb. */
const moneyFor = (verb: Verb, decision: Decision) =>
  decision === 'approve'
    ? { amount: 1299, currency: 'USD' }
    : unwritten('moneyFor in contract.test.ts', 'the amount of each other decision, or null', verb, decision);

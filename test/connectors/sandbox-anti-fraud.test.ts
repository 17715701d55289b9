import { createHmac } from 'node:crypto';
import { sandboxAntiFraud } from '../../src/connectors/sandbox/anti-fraud/index.ts';
import { SIGNATURE_HEADER } from '../../src/connectors/sandbox/webhook.ts';
import { strangerAt } from '../support/check-request.ts';
import { startFakeAntiFraud, type CheckFault } from '../support/fake-anti-fraud.ts';
import { describeAntiFraudContract, type CheckTrouble } from './anti-fraud-contract.ts';

const SECRET = 'a webhook secret of the test';

const FAULTS: Readonly<Record<CheckTrouble, CheckFault>> = {
  ...{ server_error: 'server_error', lost: 'lost', unreadable: 'nonsense', hang: 'hang' },
};

describeAntiFraudContract({
  connector: sandboxAntiFraud,
  start: async () => {
    const fake = await startFakeAntiFraud();
    return {
      credentials: {
        ...{ merchant_id: 'm-1', api_key: 'an api key of the test', webhook_secret: SECRET },
        api_url: fake.url,
      },
      buyer: (decision) => strangerAt(`${decision}@shop.example`),
      failNext: (trouble) => fake.failNext(FAULTS[trouble]),
      keys: () => fake.calls.map(({ idempotencyKey }) => idempotencyKey ?? ''),
      requests: () => fake.calls.map(({ body }) => JSON.stringify(body)),
      ended: (key, decision) => {
        const body = JSON.stringify({
          ...{ version: '2.1', check_ref: key, check_id: 'chk_1' },
          decision: decision === 'accept' ? 'A' : 'D',
        });
        const signature = createHmac('sha256', SECRET).update(body).digest('hex');
        return { headers: { [SIGNATURE_HEADER]: `sha256=${signature}` }, body };
      },
      release: () => undefined,
      close: () => fake.close(),
    };
  },
});

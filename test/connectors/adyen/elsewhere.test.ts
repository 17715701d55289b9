import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { adyenDefinitions } from '../../../src/connectors/adyen/definitions.ts';
import { adyenWebhooks } from '../../../src/connectors/adyen/webhooks/webhook.ts';
import { readNotices } from '../read-notices.ts';
import type { WebhookNotice } from '../../../src/connectors/notices/webhook.ts';
import { openDouble } from './double-client.ts';
import { TEST_ACCOUNT, TEST_HMAC_KEY, type AdyenDouble } from './double.ts';
import type { AdyenNotification } from './notifications.ts';

const [definition] = adyenDefinitions;

/** Reads webhooks as the core does. */
const read = (webhooks: readonly AdyenNotification[]): readonly WebhookNotice[] =>
  webhooks.flatMap(({ headers, body }) => {
    if (!definition) throw new Error('No definition');
    const result = readNotices(adyenWebhooks, {
      ...{ headers, rawBody: Buffer.from(body), definition, environment: 'sandbox', now: new Date() },
      credentials: { merchant_account: TEST_ACCOUNT.merchantAccount, hmac_key: TEST_HMAC_KEY },
    });
    if (!result.ok) throw new Error(result.refusals[0]);
    return result.value;
  });

const told = (double: AdyenDouble) => read(double.webhooks());

/** Authorises a payment under a key of ours. */
function authorized(options: Parameters<typeof openDouble>[0] = {}, changes: object = {}) {
  const opened = openDouble({ multipleCaptures: true, ...options });
  const key = randomUUID();
  const psp = opened.authorise(key, changes);
  told(opened.double);
  return { ...opened, key, psp, by: opened.double.elsewhere };
}

const EUR = (amount: number) => ({ amount, currency: 'EUR' });

describe('an operation in the Customer Area', () => {
  it('is a capture, then a refund', () => {
    const { double, by, key, psp } = authorized();
    const captured = by.capture(key, 900);
    expect(told(double)).toMatchObject([
      {
        ...{ verb: 'capture', key: null, reference: captured, paymentReference: psp },
        outcome: { kind: 'succeeded', money: EUR(900) },
      },
    ]);
    const refunded = by.refund(key, 400);
    expect(told(double)).toMatchObject([
      {
        ...{ verb: 'refund', key: null, reference: refunded, paymentReference: psp },
        outcome: { kind: 'succeeded', money: EUR(400) },
      },
    ]);
    expect(double.book(key)).toMatchObject({ captured: 900, refunded: 400 });
  });

  it('is refused by the rules for everybody', () => {
    const { double, by, key } = authorized();
    by.refund(key, 400);
    expect(told(double)).toMatchObject([{ verb: 'refund', key: null, outcome: { kind: 'failed' } }]);
    expect(double.book(key)).toMatchObject({ captured: 0, refunded: 0 });
  });

  it.each(['cancel', 'cancelOrRefund'] as const)('is a void by %s', (act) => {
    const { double, by, key, psp } = authorized();
    const reference = by[act](key);
    expect(told(double)).toMatchObject([
      {
        ...{ verb: 'void', key: null, authorizationKey: key, reference, paymentReference: psp },
        outcome: { kind: 'succeeded', money: null },
      },
    ]);
  });

  it('is a refund of everything by the same button', () => {
    const { double, by, key, psp } = authorized();
    by.capture(key);
    told(double);
    const reference = by.cancelOrRefund(key);
    expect(told(double)).toMatchObject([
      {
        ...{ verb: 'refund', key: null, reference, paymentReference: psp, whole: EUR(1299) },
        outcome: { money: null },
      },
    ]);
    expect(double.book(key)).toMatchObject({ captured: 1299, refunded: 1299 });
  });

  it('is a change of the authorised amount', () => {
    const { double, by, key, psp } = authorized(
      {},
      { additionalData: { authorisationType: 'PreAuth', manualCapture: 'true' } },
    );
    const reference = by.adjust(key, 1500);
    expect(told(double)).toMatchObject([
      {
        ...{ verb: 'increase', key: null, reference, paymentReference: psp, total: EUR(1500) },
        outcome: { kind: 'succeeded', money: null },
      },
    ]);
  });

  it('may approve after a refusal', () => {
    const { double, key, psp } = authorized();
    const item = {
      ...{ amount: { value: 1299, currency: 'EUR' }, eventCode: 'AUTHORISATION', pspReference: psp },
      ...{ eventDate: '2026-11-21T12:00:00+01:00', merchantAccountCode: TEST_ACCOUNT.merchantAccount },
      merchantReference: key,
    };
    const refusal = double.sign({ ...item, reason: 'Refused', success: 'false' });
    const approval = double.sign({ ...item, reason: '', success: 'true' });
    const notices = read([refusal, approval]);
    expect(notices).toMatchObject([
      { verb: 'authorize', key, reference: psp, outcome: { kind: 'declined' } },
      { verb: 'authorize', key, reference: psp, outcome: { kind: 'succeeded', money: EUR(1299) } },
    ]);
    expect(new Set(notices.map(({ eventKey }) => eventKey)).size).toBe(2);
  });
});

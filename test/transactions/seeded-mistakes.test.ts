import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App, Viewer } from '../../src/app.ts';
import { SIGNATURE_HEADER } from '../../src/connectors/sandbox/webhook.ts';
import {
  applyDueWebhooks,
  applyReceived,
  captureTransaction,
  createTransaction,
  receiveWebhook,
} from '../../src/modules/transactions/index.ts';
import { query } from '../support/database.ts';
import { seldom } from '../simulation/seldom.ts';
import { CARD, createService } from './harness.ts';
import type { Reported } from './inbox.ts';
import { SECRET, startTakeBacks, type TakeBacks } from './take-backs.ts';

let play: TakeBacks;
let app: App;
let viewer: Viewer;

beforeAll(async () => {
  play = await startTakeBacks();
  const { server } = play.harness;
  ({ app } = server);
  viewer = {
    ...{ merchantAccountId: server.merchantAccountId, scopes: ['*.read', '*.write'], apiKeyPairId: '' },
    ...{ reachableMerchantAccountIds: [], tokenExpiresAt: new Date('2100-01-01T00:00:00Z') },
  };
});
afterAll(() => play.harness.stop());

/** Receives a webhook and applies it at once, in this app. */
async function tell(at: App, reported: Reported): Promise<void> {
  const rawBody = Buffer.from(JSON.stringify({ id: randomUUID(), ...reported }));
  const signature = createHmac('sha256', SECRET).update(rawBody).digest('hex');
  const headers = { [SIGNATURE_HEADER]: `sha256=${signature}` };
  const token = play.inbox.url.split('/').at(-1) ?? '';
  const received = await receiveWebhook(at, { token, headers, rawBody });
  if (!received.ok) throw new Error(`The webhook was refused: ${received.refusals[0]}`);
  await applyReceived(at, received.value.stored);
}

async function hear(at: App): Promise<void> {
  while (await applyDueWebhooks(at));
}

/** The values that the schema gives by default. */
const CUSTOMER_INITIATED = {
  ...{ intent: 'authorize', paymentSource: 'ecommerce', store: false },
  ...{ merchantInitiated: false, isSubsequentPayment: false },
};

describe('a code of the scheme that forbids a retry', () => {
  beforeAll(async () => {
    const { server, provider } = play.harness;
    for (const displayName of ['First', 'Second'])
      await createService(server, provider.url, { displayName, currencies: ['SEK'] });
  });

  /** Pays with a card whose issuer declines with this code. Returns the number of services that were asked. */
  async function askedBy(at: App, options: object): Promise<number> {
    const { harness } = play;
    const since = await harness.since();
    const paid = await createTransaction(
      at,
      viewer,
      {
        ...{ ...CUSTOMER_INITIATED, amount: 200_012, currency: 'SEK', country: 'DE' },
        paymentMethod: { card: CARD },
        connectionOptions: { 'mock-card': options },
      },
      null,
    );
    if (!paid.ok) throw new Error(JSON.stringify(paid.refusals));
    expect(paid.value.transaction.status).toBe('authorization_declined');
    return since.calls().length;
  }

  it.each([
    ['an advice', { merchant_advice_code: { result: '03' } }, seldom.advice],
    ['a response code', { network_response_code: { result: 'R1' } }, seldom.response],
  ])('ends the payment at its first service: %s', async (_, options, { spoil }) => {
    expect(await askedBy(app, options)).toBe(1);
    expect(await askedBy(spoil()(app), options)).toBe(2);
  });
});

describe('an expiry from before the renewal of a payment', () => {
  async function expireEarly(at: App) {
    const id = await play.pay();
    await play.harness.reauthorize(id);
    const { key } = await play.operation(id, 'authorize');
    const renewedAt = Date.parse(String((await play.harness.transaction(id))?.['reauthorizedAt']));
    const occurredAt = new Date(renewedAt - 60_000).toISOString();
    await tell(at, { event: 'authorization.expired', idempotency_key: key, occurred_at: occurredAt });
    return play.money(id);
  }

  it('leaves the money held', async () => {
    expect(await expireEarly(app)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', expiredAt: null });
  });

  it('would end the payment without its renewal, although the provider holds the money', async () => {
    expect(await expireEarly(seldom.oldExpiry.spoil()(app))).toMatchObject({
      ...{ status: 'AUTHORIZATION_VOIDED', expiredAt: expect.any(String) },
    });
  });
});

const BOOKED = { capturedAmount: 0, captureReversedAmount: 1000 };
const MISSED = { capturedAmount: 1000, captureReversedAmount: 0 };

describe('a reversal by an id of the provider that becomes known late', () => {
  /** The answer to the capture is lost, and its first webhook has no id. The reversal comes before the id. */
  async function reverseEarly(at: App) {
    const id = await play.pay();
    play.harness.provider.failNext('lose_answer');
    await play.harness.capture(id, { amount: 1000 });
    const { key } = await play.operation(id, 'capture');
    const reference = `late ${id}`;
    await tell(at, { event: 'capture.succeeded', idempotency_key: key });
    await tell(at, { event: 'capture.reversed', payment_service_reference: reference });
    expect(await play.money(id)).toMatchObject(MISSED);
    await tell(at, {
      ...{ event: 'capture.succeeded', idempotency_key: key },
      payment_service_reference: reference,
    });
    await hear(at);
    return play.money(id);
  }

  it('is booked', async () => {
    expect(await reverseEarly(app)).toMatchObject(BOOKED);
  });

  it('would be missed if the webhook taught nothing', async () => {
    expect(await reverseEarly(seldom.unlearned.spoil()(app))).toMatchObject(MISSED);
  });
});

describe('a reversal by the known id of the provider', () => {
  /** A webhook names the capture by another id than the answer. The reversal names the id of the answer. */
  async function reverseAfterAnotherId(at: App) {
    const id = await play.pay();
    await play.harness.capture(id, { amount: 1000 });
    const { key, providerReference } = await play.operation(id, 'capture');
    await tell(at, {
      ...{ event: 'capture.succeeded', idempotency_key: key },
      payment_service_reference: `another than of ${id}`,
    });
    await tell(at, { event: 'capture.reversed', payment_service_reference: providerReference });
    return play.money(id);
  }

  it('is booked', async () => {
    expect(await reverseAfterAnotherId(app)).toMatchObject(BOOKED);
  });

  it('would be missed if the webhook replaced the id', async () => {
    expect(await reverseAfterAnotherId(seldom.relearned.spoil()(app))).toMatchObject(MISSED);
  });
});

describe('a capture beside an increase that is under way', () => {
  async function captureMore(at: App) {
    const id = await play.harness.authorized(1000);
    play.harness.provider.failNext('lose_answer');
    await play.harness.increase(id, { amount: 300 });
    return captureTransaction(at, viewer, id, { amount: 1300 }, null);
  }

  const REFUSED = { ok: false, refusals: [{ kind: 'CaptureTooLarge', capturable: { amount: 1000 } }] };

  it('is of the confirmed amount at most', async () => {
    expect(await captureMore(app)).toMatchObject(REFUSED);
  });

  it('would be of the unconfirmed part too, if neither the claim nor the database refused it', async () => {
    const at = seldom.tookIncrease.spoil()(app);
    expect(await captureMore(at)).toMatchObject(REFUSED);
    await query(
      app.config.DATABASE_URL ?? '',
      'ALTER TABLE transaction DROP CONSTRAINT transaction_captured_check',
    );

    expect(await captureMore(at)).toMatchObject({
      ok: true,
      value: { transaction: { authorizedAmount: 1000, capturedAmount: 1300 } },
    });
  });
});

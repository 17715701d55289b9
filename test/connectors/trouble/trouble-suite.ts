import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { sandboxConnectors } from '../../support/sandbox-connectors.ts';
import { startHarness, type CreateInput, type Harness, type Payload } from '../../transactions/harness.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import { reconcileAfter, unresolvedOn } from '../../transactions/unresolved.ts';
import { postWebhooks } from '../double-server.ts';
import { connect, type Service } from '../kit/service.ts';
import { startAdyen } from './adyen.ts';
import { startCheckout } from './checkout.ts';
import { startBraintree } from './braintree.ts';
import type { Party, Trouble } from './party.ts';
import { startMollie } from './mollie.ts';
import { startPayPal } from './paypal.ts';
import { startStripe } from './stripe.ts';

/** The providers. A further one is a further line. */
const STARTS = {
  ...{ Stripe: startStripe, Adyen: startAdyen, PayPal: startPayPal, Mollie: startMollie },
  'Checkout.com': startCheckout,
  Braintree: startBraintree,
} as const;

/** The providers that give access tokens. A call to any other carries the API key itself. */
const WITH_TOKENS: ReadonlySet<string> = new Set(['PayPal']);

/** The providers that tell no authorisation by a webhook. */
const SILENT: ReadonlySet<string> = new Set(['Braintree']);

/** Longer than the deadline of any provider, after which recovery mostly takes over. */
const AFTER_MS = 120_000;

/** The troubles of each kind of test. */
export type Troubles = {
  /** The refusals before the work, with the code of the failed payment. */
  readonly refusals: readonly (readonly [Trouble, string])[];
  /** The answers to a payment after which the outcome is unknown. */
  readonly unknown: readonly Trouble[];
  /** The answers to the repeats of a payment whose approval was lost. */
  readonly repeats: readonly (Trouble | 'nobody')[];
  readonly captures: readonly Trouble[];
};

/** Defines the tests of all real providers in these troubles. All of them share one service. */
export function describeTroubles(troubles: Troubles): void {
  startAll();
  describe.each(Object.keys(STARTS))('%s', (name) => describeProvider(name, troubles));
}

let harness: Harness;
let other: Server;
const parties = new Map<string, Party>();
const services = new Map<string, Service>();
const means = new Map<string, CreateInput>();

function startAll(): void {
  beforeAll(async () => {
    const clock = createShiftedClock();
    for (const [name, start] of Object.entries(STARTS)) parties.set(name, await start(clock));
    const connectors = [...parties.values()].map(({ connector }) => connector);
    harness = await startHarness('mock-card', { clock, connectors: [...sandboxConnectors, ...connectors] });
    for (const [name, party] of parties) {
      const { definitionId, currency, fields } = party;
      const service = await connect(harness, definitionId, fields, { acceptedCurrencies: [currency] });
      services.set(name, service);
      means.set(name, await party.means(harness, service.id));
    }
    other = createServer((_, reply) => void reply.writeHead(404, { 'content-type': 'text/html' }).end(PAGE));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => other.close(resolve));
    await harness.stop();
    for (const party of parties.values()) await party.close();
  });
}

const PAGE = '<!doctype html><title>Not found</title><p>This is not the page that you look for.</p>';

/** An address at which nobody listens. */
const NOBODY = 'http://127.0.0.1:9';

function describeProvider(name: string, { refusals, unknown, repeats, captures }: Troubles): void {
  let party: Party;
  /** The payments at the provider before the test. */
  let before: { readonly payments: number; readonly captured: number };
  beforeAll(() => {
    const found = parties.get(name);
    if (!found) throw new Error(`No party ${name}`);
    party = found;
  });
  beforeEach(() => {
    party.behave();
    party.moveTo(null);
    party.webhooks();
    before = { payments: party.payments(), captured: party.captured() };
  });

  /** Reconciles early, and once more where recovery knows more later. */
  const reconcile = async (): Promise<void> => {
    await reconcileAfter(harness, AFTER_MS);
    if (party.recoversAfterMs !== undefined) await reconcileAfter(harness, party.recoversAfterMs);
  };
  const pay = (): Promise<Payload> =>
    harness.create({
      ...{ amount: 1299, currency: party.currency, ...means.get(name) },
      paymentServiceId: services.get(name)?.id,
    });
  const idOf = ({ transaction }: Payload): string => transaction?.id ?? '';
  const made = (): number => party.payments() - before.payments;
  const statusOf = async (id: string) => (await harness.transaction(id))?.status;
  const deliver = (webhooks = party.webhooks()) =>
    postWebhooks(services.get(name)?.webhookUrl ?? '', webhooks);

  /** The provider is well again, and the payment ends in the truth. */
  const expectTruth = async (id: string): Promise<void> => {
    party.behave();
    party.moveTo(null);
    await reconcile();
    expect(await harness.transaction(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', authorizedAmount: 1299 },
    });
    expect(made()).toBe(1);
  };

  it.each(refusals)(
    'that answers %s fails the payment with %s, and the next one is paid',
    async (trouble, errorCode) => {
      party.failNext(trouble);

      const { transaction } = await pay();

      expect(transaction).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode });
      expect(made()).toBe(0);
      expect((await pay()).transaction).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    },
  );

  if (!WITH_TOKENS.has(name))
    it.each(['payment', 'capture'])(
      'whose API key was revoked fails a %s, and a later one is done',
      async (step) => {
        const id = step === 'capture' ? idOf(await pay()) : null;
        const next = () => (id === null ? pay() : harness.capture(id, { amount: 1299 }));
        if (!party.revokeKey) throw new Error(`${name} cannot revoke a key`);
        party.revokeKey();

        const { transaction, operation } = await next();

        const failed = { errorCode: 'invalid_service_credentials' };
        if (id === null) expect(transaction).toMatchObject({ ...failed, status: 'AUTHORIZATION_FAILED' });
        else expect(operation).toMatchObject({ ...failed, status: 'FAILED' });
        expect([made(), party.captured() - before.captured]).toEqual([id === null ? 0 : 1, 0]);
        expect((await next()).userErrors).toEqual([]);
        expect(made()).toBe(1);
      },
    );
  else
    it.each(['payment', 'capture'])(
      'whose access token expired before a %s gives one new token',
      async (step) => {
        const { access } = party;
        if (!access) throw new Error(`${name} gives no access tokens`);
        const id = step === 'capture' ? idOf(await pay()) : null;
        const [keys, given] = [access.keys().length, access.given()];
        access.expireNext();

        const { transaction } = id === null ? await pay() : await harness.capture(id, { amount: 1299 });

        expect(transaction).toMatchObject({
          status: id === null ? 'AUTHORIZATION_SUCCEEDED' : 'CAPTURE_SUCCEEDED',
        });
        const [first, ...repeats] = access.keys().slice(keys);
        expect(repeats).toEqual([first]);
        expect(access.given() - given).toBe(1);
        expect([made(), party.captured() - before.captured]).toEqual([1, id === null ? 0 : 1299]);
      },
    );

  it('at a wrong address fails the payment, and nothing was paid', async () => {
    party.moveTo(NOBODY);

    const { transaction } = await pay();

    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode: 'service_network_error' });
    expect(made()).toBe(0);
  });

  it.each(unknown)('that answers %s keeps the payment open until the truth is known', async (trouble) => {
    party.failNext(trouble);

    const id = idOf(await pay());

    expect(await statusOf(id)).toBe('PROCESSING');
    expect(await unresolvedOn(harness, id)).toMatchObject({ kind: 'AUTHORIZE', attempts: 1 });
    await expectTruth(id);
    expect(await unresolvedOn(harness, id)).toBeNull();
  });

  it('whose address belongs to somebody else never declines the payment', async () => {
    party.moveTo(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);

    const id = idOf(await pay());

    // A first call that moves no money may fail the payment.
    if ((await statusOf(id)) === 'AUTHORIZATION_FAILED') return expect(made()).toBe(0);
    expect(await statusOf(id)).toBe('PROCESSING');
    await expectTruth(id);
  });

  it.each(repeats)('never takes %s for the answer to a payment that it had approved', async (trouble) => {
    party.failNext('lose_answer');
    const id = idOf(await pay());

    if (trouble === 'nobody') party.moveTo(NOBODY);
    else party.failNext(...Array.from({ length: 8 }, () => trouble));
    await reconcile();

    expect(await statusOf(id)).toBe('PROCESSING');
    await expectTruth(id);
  });

  it.each(captures)('that answers a capture with %s captures once', async (trouble) => {
    const id = idOf(await pay());
    party.failNext(trouble);

    expect((await harness.capture(id, { amount: 1299 })).operation).toMatchObject({ status: 'PENDING' });

    await reconcile();
    expect(new Set(await deliver())).toEqual(new Set([200]));
    await applyAfter(harness, AFTER_MS);
    expect(await harness.transaction(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 },
    });
    expect(party.captured() - before.captured).toBe(1299);
  });

  if (SILENT.has(name)) return;

  it('changes nothing by a signed webhook of another account, and decides by its own', async () => {
    party.failNext('lose_answer');
    const id = idOf(await pay());
    const own = party.webhooks();
    expect(own).not.toEqual([]);

    // An error would make the provider send the webhook again for days.
    expect(new Set(await deliver(party.ofAnother?.(own) ?? []))).toEqual(new Set([200]));
    await applyAfter(harness, AFTER_MS);
    expect(await statusOf(id)).toBe('PROCESSING');

    expect(new Set(await deliver(own))).toEqual(new Set([200]));
    await applyAfter(harness, AFTER_MS);
    // Nobody knows yet whose payment such a webhook names. The repeat finds the payment.
    if (party.onlyNames) await reconcile();
    expect(await statusOf(id)).toBe('AUTHORIZATION_SUCCEEDED');
    expect(made()).toBe(1);
  });
}

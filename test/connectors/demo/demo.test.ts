import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { demoOfProvider } from '../../../src/cli/demo/provider.ts';
import type { Credentials } from '../../../src/connectors/interface/call-context.ts';
import type { Connector } from '../../../src/connectors/interface/connector.ts';
import { createStripe } from '../../../src/connectors/stripe/index.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { createStripeDouble, type StripeDouble } from '../stripe/double.ts';
import { runProviderDemo, type DemoParts, type ProviderDemo } from './provider-demo.ts';
import { adyenDemo } from './adyen.ts';
import { braintreeDemo } from './braintree.ts';
import { checkoutDemo } from './checkout.ts';
import type { DemoProvider } from './demo-provider.ts';
import { paypalDemo } from './paypal.ts';
import { stripeDemo } from './stripe.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paygraph-demo-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Collects the lines of a demo, without the references of the provider. */
function listen() {
  const lines: string[] = [];
  const tell = (line: string) => void lines.push(line.trim().replaceAll(/reference [\w-]+/g, 'reference'));
  return { lines, tell };
}

const STEPS = [
  'Check the credentials',
  'Authorise 12.99',
  'Repeat the authorisation under its key',
  'Capture 10.00 of 12.99',
  'Refund 4.00',
  'Authorise 5.00',
  'Void the second payment',
  'Be declined',
];

describe('the story of a connector at its double', () => {
  it.each(['stripe', 'adyen', 'checkout'])('has a step for each verb: %s', async (provider) => {
    const { lines, tell } = listen();

    await runProviderDemo({ provider, environment: {}, tell });

    expect(lines.filter((line) => /^\d/.test(line))).toEqual(
      STEPS.map((step, place) => `${place + 1}  ${step}`),
    );
    expect(lines.filter((line) => line.startsWith('webhook'))).toEqual([
      'webhook: authorize succeeded',
      'webhook: capture succeeded',
      'webhook: refund succeeded',
      'webhook: authorize succeeded',
      'webhook: void succeeded',
      'webhook: authorize declined',
    ]);
    expect(lines.at(-1)).toBe('Done. All 8 steps passed.');
  });

  it('has a buyer who approves: paypal', async () => {
    const { lines, tell } = listen();

    await runProviderDemo({ provider: 'paypal', environment: {}, tell });

    expect(lines.filter((line) => /^\d/.test(line))).toEqual(
      STEPS.slice(0, -1).map((step, place) => `${place + 1}  ${step}`),
    );
    expect(lines.filter((line) => line.startsWith('the buyer approves at'))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('webhook'))).toEqual([
      'webhook: authorize accepted',
      'webhook: authorize succeeded',
      'webhook: capture succeeded',
      'webhook: refund succeeded',
      'webhook: authorize accepted',
      'webhook: authorize succeeded',
      'webhook: void succeeded',
    ]);
    expect(lines.at(-1)).toBe('Done. All 7 steps passed.');
  });

  it('has a buyer who pays, and webhooks that only name the payment: mollie', async () => {
    const { lines, tell } = listen();

    await runProviderDemo({ provider: 'mollie', environment: {}, tell });

    expect(lines.filter((line) => /^\d/.test(line))).toEqual(
      STEPS.slice(0, -1).map((step, place) => `${place + 1}  ${step}`),
    );
    expect(lines.filter((line) => line.startsWith('the buyer approves at'))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('webhook'))).toEqual(
      Array.from({ length: 5 }, () => 'webhook: look up, reference'),
    );
    expect(lines.at(-1)).toBe('Done. All 7 steps passed.');
  });

  it('settles a capture before its refund: braintree', async () => {
    const { lines, tell } = listen();

    await runProviderDemo({ provider: 'braintree', environment: {}, tell });

    expect(lines.filter((line) => /^\d/.test(line))).toEqual(
      STEPS.map((step, place) => `${place + 1}  ${step}`),
    );
    expect(lines.filter((line) => line.startsWith('webhook'))).toEqual(['webhook: look up, reference']);
    expect(lines.at(-1)).toBe('Done. All 8 steps passed.');
  });

  it('is told by the command', async () => {
    const { lines, tell } = listen();

    await demoOfProvider({ provider: 'adyen', environment: {}, tell });

    expect(lines[0]).toBe('The story of adyen-card, against a double of Adyen on this machine');
    expect(lines.at(-1)).toBe('Done. All 8 steps passed.');
  });

  it('is refused where the tests are missing', async () => {
    const { lines, tell } = listen();

    await expect(demoOfProvider({ provider: 'adyen', environment: {}, tell }, folder)).rejects.toThrow(
      'The demo of a provider needs the tests of the repository, which this installation lacks.',
    );
    expect(lines).toEqual([]);
  });

  it('is refused for another provider', async () => {
    const { tell } = listen();

    await expect(runProviderDemo({ provider: 'acme', environment: {}, tell })).rejects.toThrow(
      /^There is no demo of acme. Choose stripe, adyen, paypal, mollie, checkout, braintree/,
    );
  });
});

describe('the story of each connector with credentials', () => {
  it.each([
    ['stripe', stripeDemo, 8],
    ['adyen', adyenDemo, 8],
    ['paypal', paypalDemo, 7],
    ['braintree', braintreeDemo, 8],
    ['checkout', checkoutDemo, 8],
  ] as const)('passes every step: %s', async (provider, demo, count) => {
    const { lines, tell } = listen();
    const record = join(folder, `${provider}.md`);

    const secrets = await playWithCredentials(demo, { provider, tell, record });

    expect(lines[0]).toBe(`The story of ${demo.definitionId}, against the test environment of ${demo.name}`);
    expect(lines.filter((line) => line.startsWith('webhook'))).toEqual([]);
    const text = await readFile(record, 'utf8');
    expect(text).toContain(`- ${count} of ${count} steps passed`);
    expect(secrets).not.toEqual([]);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  /** Puts the double in the place of the provider. Returns the credentials in the environment. */
  async function playWithCredentials(
    demo: DemoProvider,
    { provider, tell, record }: Pick<ProviderDemo, 'tell' | 'record' | 'provider'>,
  ): Promise<readonly string[]> {
    const double = await demo.openDouble();
    const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
    const { connector, keys } = noting(double.connector);
    const environment = environmentOf(demo, double.credentials);
    // The buyer approves as soon as the demo names the page.
    const tellBuyer = (line: string): void => {
      tell(line);
      if (line.includes('the buyer approves at')) double.approve(keys.at(-1) ?? '');
    };
    try {
      const settle = async (_: unknown, reference: string) => double.settle?.(reference);
      const parts = { providers: { [provider]: { ...demo, connector, settle } }, http };
      await runProviderDemo({ provider, environment, tell: tellBuyer, ...(record && { record }) }, parts);
    } finally {
      http.close();
      await double.close();
    }
    return Object.values(environment);
  }

  /** Notes the keys of the payments. */
  const noting = (connector: Connector) => {
    const keys: string[] = [];
    const authorize: Connector['authorize'] = (context, request) => {
      keys.push(request.key);
      return connector.authorize(context, request);
    };
    return { connector: { ...connector, authorize }, keys };
  };

  const environmentOf = ({ variables }: DemoProvider, credentials: Credentials): Record<string, string> =>
    Object.fromEntries(Object.entries(variables).map(([field, name]) => [name, credentials[field] ?? '']));
});

describe('the story of a connector with credentials of Stripe', () => {
  const KEY = 'sk_test_0123456789';

  /** Puts a double in the place of the provider itself. */
  async function atProvider(
    tellTo: (parts: DemoParts, double: StripeDouble) => Promise<void>,
  ): Promise<void> {
    const double = createStripeDouble({ secretKey: KEY });
    const server = await double.listen();
    const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
    const connector = createStripe({ api: server.url, files: server.url });
    try {
      await tellTo({ providers: { stripe: { ...stripeDemo, connector } }, http }, double);
    } finally {
      http.close();
      await server.close();
    }
  }

  it('leaves a record without credentials', async () => {
    const { lines, tell } = listen();
    const record = join(folder, 'record.md');
    const environment = { STRIPE_SECRET_KEY: KEY };

    await atProvider(async (parts, double) => {
      await runProviderDemo({ provider: 'stripe', environment, tell, record }, parts);
      expect(double.books().payments.map(({ captured, refunded }) => [captured, refunded])).toEqual([
        [1000, 400],
        [0, 0],
        [0, 0],
      ]);
    });

    expect(lines[0]).toBe('The story of stripe-card, against the test environment of Stripe');
    const text = await readFile(record, 'utf8');
    expect(text).toContain('- 8 of 8 steps passed');
    expect(text.match(/^\| yes \| (.+?) \|/gm)).toHaveLength(8);
    expect(text).not.toContain(KEY);
  });

  it('stops at refused credentials, and the record says so', async () => {
    const { lines, tell } = listen();
    const record = join(folder, 'refused.md');
    const environment = { STRIPE_SECRET_KEY: 'sk_test_another' };

    await atProvider(async (parts, double) => {
      await expect(runProviderDemo({ provider: 'stripe', environment, tell, record }, parts)).rejects.toThrow(
        '1 of 1 steps failed.',
      );
      expect(double.books().payments).toEqual([]);
    });

    expect(lines.filter((line) => line.startsWith('FAILED'))).toHaveLength(1);
    expect(await readFile(record, 'utf8')).toMatch(/^\| \*\*no\*\* \| Check the credentials \|/m);
  });

  it('goes on after a failed step, and fails in the end', async () => {
    const { lines, tell } = listen();
    const record = join(folder, 'failed.md');

    await atProvider(async (parts) => {
      const stripe = { ...stripeDemo, ...parts.providers['stripe'], declined: stripeDemo.paying };
      const failing = { ...parts, providers: { stripe } };
      const environment = { STRIPE_SECRET_KEY: KEY };
      await expect(
        runProviderDemo({ provider: 'stripe', environment, tell, record }, failing),
      ).rejects.toThrow('1 of 8 steps failed.');
    });

    expect(lines).toContain('FAILED: succeeded: 1299 USD, reference');
  });

  it.each(['sk_live_0123', 'rk_live_0123', 'pk_test_0123', 'secret'])(
    'refuses the key %s before any call',
    async (key) => {
      const { lines, tell } = listen();

      await atProvider(async (parts, double) => {
        const demo = { provider: 'stripe', environment: { STRIPE_SECRET_KEY: key }, tell };
        await expect(runProviderDemo(demo, parts)).rejects.toThrow(
          'STRIPE_SECRET_KEY is not a key of test mode.',
        );
        expect(double.requests).toEqual([]);
      });

      expect(lines).toEqual([]);
    },
  );

  it('asks for the other half of the credentials', async () => {
    const { tell } = listen();

    await expect(
      runProviderDemo({ provider: 'adyen', environment: { ADYEN_API_KEY: 'x' }, tell }),
    ).rejects.toThrow('Set ADYEN_MERCHANT_ACCOUNT, too.');
  });
});

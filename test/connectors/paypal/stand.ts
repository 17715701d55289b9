import { X509Certificate } from 'node:crypto';
import { createAccessTokenStore } from '../../../src/connectors/calls/access-token-store.ts';
import type { CallContext } from '../../../src/connectors/interface/call-context.ts';
import type { Connector } from '../../../src/connectors/interface/connector.ts';
import { PAYPAL_HOSTS, type PayPalHosts } from '../../../src/connectors/paypal/exchange.ts';
import { createPayPal } from '../../../src/connectors/paypal/index.ts';
import { PAYPAL_SIGNINGS, type PayPalSigning } from '../../../src/connectors/paypal/webhooks/signature.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { listenOn } from '../double-server.ts';
import { createPayPalDouble, type PayPalDouble, type PayPalDoubleSettings } from './double.ts';
import { openBench } from './double-client.ts';

export type Stand = Awaited<ReturnType<typeof openStand>>;

/** Opens a double over a socket, with the connector that calls it. */
export async function openStand(settings: PayPalDoubleSettings = {}) {
  const bench = openBench(settings);
  const { double, now } = bench;
  const server = await double.listen();
  const connector = trusting(double.certificate.root(), { production: server.url, sandbox: server.url });
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const tokens = createAccessTokenStore({ now, sleep: () => Promise.resolve() });
  const credentials = { client_id: double.clientId, client_secret: double.clientSecret };
  return {
    ...{ bench, connector },
    context: (deadlineMs = 60_000): CallContext => ({
      ...{ definition: theOnly(connector.definitions), credentials, environment: 'sandbox', http },
      ...{ accessTokens: tokens.of('service', credentials), deadlineMs },
    }),
    close: async () => {
      http.close();
      await server.close();
    },
  };
}

/** Starts a double whose certificates a service can fetch, at an address of their own. */
export async function startSignedDouble(settings: PayPalDoubleSettings) {
  const fetched: string[] = [];
  let isAlone = false;
  const certificates = await listenOn({
    serve: async (request) => {
      fetched.push(request.path);
      const answer = await double.handle(request);
      const [leaf = ''] = /^[^]*?-----END CERTIFICATE-----\n/.exec(answer?.body ?? '') ?? [];
      return answer && isAlone ? { ...answer, body: leaf } : answer;
    },
  });
  const double: PayPalDouble = createPayPalDouble({ ...settings, certBase: certificates.url });
  const listening = await double.listen();
  return {
    ...{ double, url: listening.url },
    /** Lets the address of the certificate serve the certificate alone, or its authority too. */
    serveAlone: (alone: boolean) => void (isAlone = alone),
    /** The paths of the certificates that were fetched. */
    fetched,
    connectorAt: (hosts: PayPalHosts) =>
      trusting(double.certificate.root(), hosts, { origins: [certificates.url] }),
    close: async () => {
      await listening.close();
      await certificates.close();
    },
  };
}

/** Returns the connector with another authority in the place of the public ones. */
export function trusting(
  root: string,
  hosts: PayPalHosts = PAYPAL_HOSTS,
  from: Partial<PayPalSigning> = {},
): Connector {
  const roots = [new X509Certificate(root)];
  const { production, sandbox } = PAYPAL_SIGNINGS;
  return createPayPal(hosts, {
    production: { ...production, ...from, roots: () => roots },
    sandbox: { ...sandbox, ...from, roots: () => roots },
  });
}

export function theOnly<Item>([item, ...others]: readonly Item[]): Item {
  if (item === undefined || others.length > 0) throw new Error('There is not exactly one.');
  return item;
}

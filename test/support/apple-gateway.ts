import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { createHttpClient, SANDBOX_NETWORKS, type HttpClient } from '../../src/platform/http/http-client.ts';
import { createChainKeys, issueChain, type ChainKeys, type Validity } from './certificates.ts';

/** The names of the fields of a payment service, with the values of a merchant at Apple. */
export type AppleFields = Readonly<
  Record<
    'apple_pay_merchant_id' | 'apple_pay_country_code' | 'apple_pay_certificate' | 'apple_pay_private_key',
    string
  >
>;

/** A gateway of Apple over TLS, which demands the certificate of a merchant. */
export type AppleGateway = {
  /** The requests that a known merchant sent. `merchant` is the name in the certificate. */
  readonly requests: { readonly path: string; readonly merchant: string; readonly body: unknown }[];
  /** The answer to the next requests. Null: none. */
  answer: { readonly status: number; readonly body: string } | null;
  /** The client of the service, with the gateway of the test behind the names of Apple. */
  readonly http: HttpClient;
  /** The fields of a merchant whom the gateway knows. */
  merchant(validity?: Validity): AppleFields;
  /** The fields of a merchant of another authority. */
  stranger(): AppleFields;
  stop(): Promise<void>;
};

export const VALIDATION_URL = 'https://apple-pay-gateway-cert.apple.com/paymentservices/startSession';
export const SESSION = { merchantSessionIdentifier: 'SSH1', nonce: 'n-1', signature: 's-1' };
const ANSWER = { status: 200, body: JSON.stringify(SESSION) };

const YEAR_MS = 365 * 86_400_000;

/** The validity of most certificates: a year ago to a year from now. */
const now = Date.now();
const VALID: Validity = { from: new Date(now - YEAR_MS), until: new Date(now + YEAR_MS) };
export const ENDED: Validity = { from: new Date(now - 2 * YEAR_MS), until: new Date(now - YEAR_MS) };
export const NOT_BEGUN: Validity = { from: new Date(now + YEAR_MS), until: new Date(now + 2 * YEAR_MS) };

const MERCHANT = 'merchant.com.example';

/** Starts the gateway. The process trusts the authority of its certificate until the stop. */
export async function startAppleGateway(): Promise<AppleGateway> {
  const [keys, merchantKeys] = [createChainKeys(), createChainKeys()];
  const chain = issueChain('apple-pay-gateway-cert.apple.com', VALID, keys);
  const authority = issueChain(MERCHANT, VALID, merchantKeys);
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, chain.root]);
  const requests: AppleGateway['requests'] = [];
  const server = createServer(
    {
      ...{ cert: chain.leaf + chain.intermediate, key: pemOf(chain.leafKey) },
      ...{ ca: [authority.root, authority.intermediate], requestCert: true, rejectUnauthorized: true },
    },
    (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate();
        const body: unknown = JSON.parse(Buffer.concat(parts).toString());
        requests.push({ path: request.url ?? '', merchant: String(subject.CN), body });
        if (gateway.answer)
          response
            .writeHead(gateway.answer.status, { 'content-type': 'application/json' })
            .end(gateway.answer.body);
      });
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const http = clientOf((server.address() as AddressInfo).port);
  const gateway: AppleGateway = {
    ...{ requests, http, answer: ANSWER },
    merchant: (validity = VALID) => fieldsOf(validity, merchantKeys),
    stranger: newAppleMerchant,
    stop: async () => {
      setDefaultCACertificates(trusted);
      http.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gateway;
}

/** Returns the fields of a merchant whom no gateway knows. */
export const newAppleMerchant = (): AppleFields => fieldsOf(VALID, createChainKeys());

/** Answers as Apple does to a known merchant. */
export const answerAgain = (gateway: AppleGateway): void => void (gateway.answer = ANSWER);

/** The service's own client. The names of Apple lead to this machine, and to the free port of the test. */
function clientOf(port: number): HttpClient {
  const client = createHttpClient({
    ...{ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true },
    resolve: async (name) => {
      if (!name.endsWith('.apple.com')) throw new Error(`The test knows no address of ${name}.`);
      return [{ address: '127.0.0.1', family: 4 }];
    },
  });
  const at = (url: string): string => url.replace(/^(https:\/\/[^/:]+\.apple\.com)\//, `$1:${port}/`);
  return { ...client, send: (request) => client.send({ ...request, url: at(request.url) }) };
}

function fieldsOf(validity: Validity, keys: ChainKeys): AppleFields {
  const { leaf, leafKey } = issueChain(MERCHANT, validity, keys);
  return {
    ...{ apple_pay_merchant_id: MERCHANT, apple_pay_country_code: 'DE' },
    ...{ apple_pay_certificate: leaf, apple_pay_private_key: pemOf(leafKey) },
  };
}

const pemOf = (key: ChainKeys[0]['privateKey']): string =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();

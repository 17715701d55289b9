import { writeFile } from 'node:fs/promises';
import packageJson from '../../../package.json' with { type: 'json' };
import type { CallContext, Credentials } from '../../../src/connectors/interface/call-context.ts';
import type { Connector } from '../../../src/connectors/interface/connector.ts';
import {
  createHttpClient,
  SANDBOX_NETWORKS,
  type HttpClient,
} from '../../../src/platform/http/http-client.ts';
import { OperatorError } from '../../../src/platform/operator-error.ts';
import { createAccessTokenStore } from '../../../src/connectors/calls/access-token-store.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { adyenDemo } from './adyen.ts';
import { braintreeDemo } from './braintree.ts';
import { checkoutDemo } from './checkout.ts';
import type { DemoProvider } from './demo-provider.ts';
import { mollieDemo } from './mollie.ts';
import { paypalDemo } from './paypal.ts';
import { toMarkdown, type DemoRecord } from './record.ts';
import { tellProviderStory } from './story.ts';
import { stripeDemo } from './stripe.ts';

const PROVIDERS: Readonly<Record<string, DemoProvider>> = {
  ...{ stripe: stripeDemo, adyen: adyenDemo, paypal: paypalDemo, mollie: mollieDemo },
  checkout: checkoutDemo,
  braintree: braintreeDemo,
};

export type ProviderDemo = {
  readonly provider: string;
  /** The file for the record. With credentials the default is a file in this folder, and otherwise none. */
  readonly record?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly tell: (line: string) => void;
};

/** The parts that a test replaces. */
export type DemoParts = {
  readonly providers: Readonly<Record<string, DemoProvider>>;
  /** The client of calls to the provider itself. */
  readonly http: HttpClient;
};

/**
 * Tells the story of a connector, prints each step and returns the record. Without credentials in the environment, a double plays the provider.
 * With credentials, the provider's own test environment answers.
 *
 * Refuses credentials that are not those of a test account, before any call. Throws if a step failed.
 */
export async function runProviderDemo(
  demo: ProviderDemo,
  parts: Partial<DemoParts> = {},
): Promise<DemoRecord> {
  const { providers = PROVIDERS } = parts;
  const provider = providers[demo.provider];
  if (!provider)
    throw new OperatorError(
      `There is no demo of ${demo.provider}. Choose ${Object.keys(providers).join(', ')}.`,
    );
  const credentials = credentialsIn(provider, demo.environment);
  const http = parts.http ?? createHttpClient(credentials ? PUBLIC_HTTPS : THIS_MACHINE);
  try {
    return await (credentials
      ? tellAtProvider(provider, credentials, http, demo)
      : tellAtDouble(provider, http, demo));
  } finally {
    if (!parts.http) http.close();
  }
}

const PUBLIC_HTTPS = { allowedNetworks: [], allowInsecureHttp: false };
const THIS_MACHINE = { allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true };

/** Returns the credentials, or null without any. Refuses a part of them, and those of a live account. */
function credentialsIn(provider: DemoProvider, environment: ProviderDemo['environment']): Credentials | null {
  const given = Object.entries(provider.variables).map(
    ([field, name]) => [field, environment[name] ?? ''] as const,
  );
  const missing = Object.values(provider.variables).filter((name) => !environment[name]);
  if (missing.length === given.length) return null;
  if (missing.length > 0) throw new OperatorError(`Set ${missing.join(' and ')}, too.`);
  const credentials = Object.fromEntries(given);
  const reason = provider.refuse(credentials);
  if (reason !== null) throw new OperatorError(reason);
  return credentials;
}

async function tellAtDouble(
  provider: DemoProvider,
  http: HttpClient,
  demo: ProviderDemo,
): Promise<DemoRecord> {
  const double = await provider.openDouble();
  try {
    const { connector, credentials } = double;
    const context = contextOf(provider, { connector, credentials, http });
    const place = `a double of ${provider.name} on this machine`;
    return await tellAndRecord({ provider, connector, context, double, tell: demo.tell }, place, demo.record);
  } finally {
    await double.close();
  }
}

async function tellAtProvider(
  provider: DemoProvider,
  credentials: Credentials,
  http: HttpClient,
  { tell, record }: ProviderDemo,
): Promise<DemoRecord> {
  const { connector } = provider;
  const context = contextOf(provider, { connector, credentials, http });
  const day = new Date().toISOString().slice(0, 10);
  const file = record ?? `demo-${connector.id}-${day}.md`;
  const place = `the test environment of ${provider.name}`;
  return await tellAndRecord({ provider, connector, context, double: null, tell }, place, file);
}

type Parties = {
  readonly connector: Connector;
  readonly credentials: Credentials;
  readonly http: HttpClient;
};

function contextOf(provider: DemoProvider, { connector, credentials, http }: Parties): CallContext {
  const definition = connector.definitions.find(({ id }) => id === provider.definitionId);
  if (!definition) throw new Error(`The connector has no definition ${provider.definitionId}.`);
  const { deadlineMs } = definition;
  const fields = { ...provider.fixed, ...credentials };
  const accessTokens = createAccessTokenStore(systemClock).of('demo', fields);
  return { definition, credentials: fields, environment: 'sandbox', http, accessTokens, deadlineMs };
}

async function tellAndRecord(
  stage: Parameters<typeof tellProviderStory>[0],
  place: string,
  file: string | undefined,
): Promise<DemoRecord> {
  const { provider, tell } = stage;
  const startedAt = new Date();
  tell(`The story of ${provider.definitionId}, against ${place}`);
  const steps = await tellProviderStory(stage);
  const { definitionId, name } = provider;
  const record = { provider: name, definitionId, place, version: packageJson.version, startedAt, steps };
  if (file !== undefined) {
    await writeFile(file, toMarkdown(record));
    tell(`\nThe record is in ${file}.`);
  }
  const failed = steps.filter(({ ok }) => !ok).length;
  if (failed > 0) throw new OperatorError(`${failed} of ${steps.length} steps failed.`);
  tell(`\nDone. All ${steps.length} steps passed.`);
  return record;
}

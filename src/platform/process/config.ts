import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import {
  databaseAddress,
  flag,
  GROUP_ROLE,
  isAddressOrNetwork,
  list,
  oneOf,
  refundLimits,
  restPath,
  wholeNumber,
  wholeNumberOrOff,
} from './config-values.ts';
import { isMasterKey, masterKeySetting } from './master-key.ts';
import { outletMistakes, outletSettings } from './outlet-settings.ts';
import { tracingSettings } from './tracing-settings.ts';

/** The operator's settings, read once at start. Nothing else reads the environment. */
export type Config = Readonly<z.output<typeof schema>> & {
  /** True with NODE_ENV=production. Any other value is a sandbox. */
  readonly production: boolean;
};

const schema = z.object({
  /** Address to listen on. 127.0.0.1 keeps a sandbox on this machine. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Port to listen on. 0 picks a free port. */
  PORT: wholeNumber(0, 65_535).default(4000),
  /**
   * Postgres to use. Without an address, the sandbox starts an embedded Postgres in the data folder. With several hosts, the
   * primary among them is used.
   */
  DATABASE_URL: databaseAddress.optional(),
  /**
   * The same database without a pooler. Says that DATABASE_URL is a pooler in transaction mode. Migrations, notifications and
   * commands use this address. Needs DATABASE_READ_URL.
   */
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  /** The same database at the pooler, with a role whose settings fit reads. The default is DATABASE_URL. */
  DATABASE_READ_URL: databaseAddress.optional(),
  /**
   * Replicas that answer queries, with a comma between their hosts. A query goes there when it names a position that the replica
   * has.
   */
  DATABASE_REPLICA_URL: databaseAddress.optional(),
  /** Most connections to Postgres that one process opens for payments and background work. Reads cannot use them. */
  DATABASE_POOL: wholeNumber(4, 200).default(16),
  /** Most connections to Postgres that one process opens for queries and subscriptions, beside DATABASE_POOL. */
  DATABASE_READ_POOL: wholeNumber(1, 200).default(8),
  /** Longest time of one statement of a query, in milliseconds. Afterwards the error is QUERY_TIMED_OUT. */
  PAYGRAPH_READ_TIMEOUT_MS: wholeNumber(10, 600_000).default(5_000),
  /** Most records that one statement of a list or a count scans. A filter that needs more is refused. */
  PAYGRAPH_LIST_SCAN_LIMIT: wholeNumber(100, 1_000_000).default(10_000),
  /** Folder of the embedded Postgres, the sandbox's key and the sandbox's API key. */
  PAYGRAPH_DATA_DIR: z.string().min(1).default('.paygraph'),
  /**
   * Address under which others reach this service, used in webhook addresses. The default is the address listened on.
   */
  PAYGRAPH_PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** A further value of the claim `aud` that tokens may have, beside the public address. */
  PAYGRAPH_TOKEN_AUDIENCE: z.string().min(1).max(255).optional(),
  /** Allows a public address with http in production, for a network without TLS. */
  PAYGRAPH_ALLOW_HTTP_PUBLIC_URL: flag.default(false),
  /** Packages of connectors (comma-separated), each installed beside Paygraph. A path names a file. */
  PAYGRAPH_CONNECTORS: list.default([]),
  /** Further host names (comma-separated) that requests may name, beside the public address and this machine. */
  PAYGRAPH_ALLOWED_HOSTS: list.default([]),
  /** Lets the page of a sandbox hand out tokens although others reach the sandbox. */
  PAYGRAPH_SHARE_SANDBOX_TOKEN: flag.default(false),
  /** Offers the sandbox's providers in production. They move no money. */
  PAYGRAPH_ALLOW_SANDBOX_PROVIDERS: flag.default(false),
  /**
   * Provider that wraps data keys: local is the master key, transit an external service. Other configured providers
   * only unwrap.
   */
  PAYGRAPH_KEY_PROVIDER: oneOf(['local', 'transit']).default('local'),
  /**
   * 32 bytes in base64 that encrypt the data keys. Required in production with local. The sandbox creates a key in the
   * data folder.
   */
  PAYGRAPH_MASTER_KEY: masterKeySetting.optional(),
  /** Further master keys (comma-separated), which only unwrap: the former ones, until rotate-keys has run. */
  PAYGRAPH_MASTER_KEY_PREVIOUS: list
    .refine((keys) => keys.every(isMasterKey), 'must be keys of 32 bytes in base64, with a comma between')
    .default([]),
  /** Address of a key service with the transit API of HashiCorp Vault or OpenBao. Needs PAYGRAPH_TRANSIT_TOKEN. */
  PAYGRAPH_TRANSIT_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** Token of the key service that may encrypt and decrypt with the key. */
  PAYGRAPH_TRANSIT_TOKEN: z.string().min(1).optional(),
  /** Mount of the transit engine and name of the key, with a slash between. */
  PAYGRAPH_TRANSIT_KEY: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)+$/, 'must be the mount and the name of a key, such as transit/paygraph')
    .default('transit/paygraph'),
  /**
   * Roles of this process: api answers requests, worker runs relay, dispatcher and reconciliation. A worker alone serves only
   * its probes and metrics.
   */
  PAYGRAPH_ROLES: list
    .pipe(z.array(oneOf(['api', 'worker'])).min(1, 'must be api, worker or both, with a comma between'))
    .default(['api', 'worker']),
  /** compiled runs frequent operations through a compiler. reference runs all through graphql-js. */
  PAYGRAPH_EXECUTOR: oneOf(['compiled', 'reference']).default('compiled'),
  /** Serves the dashboard at /dashboard: on, off, or alone. alone serves only the dashboard, /graphql and the probes. */
  PAYGRAPH_DASHBOARD: oneOf(['on', 'off', 'alone']).default('on'),
  /** The path below which the REST paths are served. Null serves none. */
  PAYGRAPH_REST_PATH: restPath.prefault('/'),
  /** Serves each subgraph at /subgraphs/<name> for a router. Needs PAYGRAPH_ROUTER_SECRET. */
  PAYGRAPH_SUBGRAPHS: flag.default(false),
  /** Publishes @requiresScopes in the SDL of the subgraphs. With false, a router sees no scopes, and the subgraphs enforce them. */
  PAYGRAPH_SUBGRAPH_SCOPES: flag.default(true),
  /** Secret that a router sends as `x-router-secret`, at least 32 characters. */
  PAYGRAPH_ROUTER_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
  /**
   * Longest wait for a provider's reply, in milliseconds. Afterwards the outcome is unknown and reconciled. Without it,
   * each definition has its own.
   */
  PAYGRAPH_PROVIDER_DEADLINE_MS: wholeNumber(1, 120_000).optional(),
  /** Percent of failures in a minute that sets a payment service behind the others. off: none is set behind. */
  PAYGRAPH_CIRCUIT_FAILURE_PERCENT: wholeNumberOrOff(1, 100).default(50),
  /** Requests of the last minute in one process below which no payment service is set behind the others. */
  PAYGRAPH_CIRCUIT_CALLS: wholeNumber(2, 100_000).default(10),
  /**
   * The most payments a minute of which a payment service asks its provider for the books, 0 to 6000. The answers show
   * operations that no webhook told. With 0, Paygraph asks only after a webhook that names a payment without its content.
   * Such look-ups have limits of their own.
   */
  PAYGRAPH_BOOKS_CALLS_PER_MINUTE: wholeNumber(0, 6_000).default(30),
  /**
   * Networks (CIDR, comma-separated) that outbound requests may reach although they are not public. The sandbox allows
   * this machine.
   */
  PAYGRAPH_ALLOWED_NETWORKS: list.default([]),
  /** Pages (origins, comma-separated) of others that may open websockets from a browser. */
  PAYGRAPH_ALLOWED_ORIGINS: list.default([]),
  /** Proxies in front (addresses or CIDR, comma-separated) whose X-Forwarded-For is trusted. */
  PAYGRAPH_TRUSTED_PROXIES: list
    .refine(
      (proxies) => proxies.every(isAddressOrNetwork),
      'must be addresses or networks, with a comma between',
    )
    .default([]),
  /** Days for which the feed retains events, more than the seven of a delivery. off retains them for ever. */
  PAYGRAPH_EVENT_RETENTION_DAYS: wholeNumberOrOff(8, 36_500).default(90),
  /** Positions of the log in one partition of the attempts. The next partition has this size. */
  PAYGRAPH_LOG_PARTITION: wholeNumber(100, 1_000_000_000).default(1_000_000),
  /** Days for which the audit log retains entries. off retains them for ever. */
  PAYGRAPH_AUDIT_RETENTION_DAYS: wholeNumberOrOff(30, 36_500).default(400),
  /** File that Apple reads before it lets the page of a payment link offer Apple Pay. Without it, nothing is served. */
  PAYGRAPH_APPLE_PAY_DOMAIN_FILE: z.string().min(1).optional(),
  /** Serves Prometheus metrics at /metrics, to everybody who reaches the port. */
  PAYGRAPH_METRICS: flag.default(false),
  /** Writes a line of the log for each request. The lines have the level info. */
  PAYGRAPH_ACCESS_LOG: flag.default(true),
  /** Requests per second of one merchant account that one process answers, with four seconds saved up. off: no limit. */
  PAYGRAPH_REQUESTS_PER_SECOND: wholeNumberOrOff(1, 1_000_000).default(1_000),
  /** Cost of reads per second of one merchant account in one process, with four seconds saved up. off: no limit. */
  PAYGRAPH_COST_PER_SECOND: wholeNumberOrOff(1, 10_000_000).default(5_000),
  /** Milliseconds that work of a merchant account may wait for a turn. Reads: four times. Then new requests get 429. off: no limit. */
  PAYGRAPH_LATE_WORK_MS: wholeNumberOrOff(50, 60_000).default(500),
  /** Refused tokens per second of one address that one process verifies, with four seconds saved up. off: no limit. */
  PAYGRAPH_FAILED_TOKENS_PER_SECOND: wholeNumberOrOff(1, 1_000_000).default(10),
  /** Attempts per minute of one network to sign in at the dashboard, in each process. Half a minute is saved up. off: no limit. */
  PAYGRAPH_SIGN_INS_PER_MINUTE: wholeNumberOrOff(1, 1_000_000).default(20),
  /** Different card numbers in a day with equal first eight and last four digits, per merchant account. off: no limit. */
  PAYGRAPH_CARD_NUMBERS_PER_DAY: wholeNumberOrOff(1, 1_000).default(10),
  /** Payments with card numbers of the same first eight digits that may fail in an hour. off: no limit. */
  PAYGRAPH_CARD_FAILURES_PER_HOUR: wholeNumberOrOff(1, 1_000_000).default(500),
  /** Address of an OpenID Connect provider, at which people sign in to the dashboard. Needs PAYGRAPH_OIDC_CLIENT_ID. */
  PAYGRAPH_OIDC_ISSUER: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** Name of this service at the provider. */
  PAYGRAPH_OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** Secret of this service at the provider. Without it, PKCE alone protects the code. */
  PAYGRAPH_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /** Scopes that the provider is asked for, with spaces between. */
  PAYGRAPH_OIDC_SCOPES: z
    .string()
    .regex(/^openid( [!-~]+)*$/, 'must begin with openid, and have spaces between')
    .default('openid email profile'),
  /** Claim with the groups of a person. */
  PAYGRAPH_OIDC_GROUPS_CLAIM: z.string().min(1).default('groups'),
  /** Roles of groups (comma-separated), such as payments=owner,desk=support@acme. The first group of a person counts. */
  PAYGRAPH_OIDC_ROLES: list
    .refine(
      (rules) => rules.every((rule) => GROUP_ROLE.test(rule)),
      'must be rules such as group=owner or group=support@merchant-account, with a comma between',
    )
    .default([]),
  /**
   * Most that people refund of one payment without a second person, as minor units by currency. The currency * stands for
   * all others.
   */
  PAYGRAPH_REFUND_APPROVAL: refundLimits.default({}),
  /** Accepts payments with splits. A process of a version before splits must not work any more. The sandbox accepts them anyway. */
  PAYGRAPH_SPLITS: flag.optional(),
  ...outletSettings,
  ...tracingSettings,
  LOG_LEVEL: oneOf(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  /** Tests only: actions at named points. Refused in production. */
  PAYGRAPH_FAILPOINTS: z.string().default(''),
});

/** The name of every setting, for the documentation test. */
export const settingNames = Object.keys(schema.shape);

/** Settings of commands, which the service itself does not read. */
const OF_COMMANDS = ['PAYGRAPH_SETUP_PUBLIC_KEY'];

/** A setting that is not known, with the most similar known name. Null when no name is similar. */
export type UnknownSetting = { readonly name: string; readonly similar: string | null };

/** Lists the variables that begin with PAYGRAPH_ and name no setting. They have no effect. */
export function unknownSettings(environment: Readonly<Record<string, string | undefined>>): UnknownSetting[] {
  const known = [...settingNames, ...OF_COMMANDS];
  return Object.keys(environment)
    .filter((name) => name.startsWith('PAYGRAPH_') && !known.includes(name))
    .toSorted()
    .map((name) => {
      const similar = closest(name, known);
      return { name, similar: distance(name, similar) <= TYPOS_MAX ? similar : null };
    });
}

/** The most letters in which a misspelt name differs from the meant one. */
const TYPOS_MAX = 3;

/** All mistakes of a configuration together. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables. An empty variable counts as absent. Throws one ConfigError that
 * lists every mistake without its value.
 */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const production = given['NODE_ENV'] === 'production';
  const parsed = schema.safeParse(given);
  const mistakes = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path[0]?.toString()}: ${message}`),
    ...missing(given, production),
  ];
  if (!parsed.success || mistakes.length > 0) throw new ConfigError([...new Set(mistakes)].join('\n'));
  return { ...parsed.data, production };
}

/**
 * Returns the missing settings that other settings require. The check runs even if other settings are wrong, so that
 * one start shows all mistakes.
 */
function missing(given: Readonly<Record<string, string | undefined>>, production: boolean): string[] {
  const mistakes = outletMistakes(given);
  const require = (name: string, why: string): void => {
    if (given[name] === undefined) mistakes.push(`${name}: required ${why}`);
  };
  if (given['PAYGRAPH_SUBGRAPHS'] === 'true')
    require('PAYGRAPH_ROUTER_SECRET', 'when PAYGRAPH_SUBGRAPHS is true');
  const transit = given['PAYGRAPH_KEY_PROVIDER'] === 'transit';
  if (transit) require('PAYGRAPH_TRANSIT_URL', 'when PAYGRAPH_KEY_PROVIDER is transit');
  if (given['PAYGRAPH_TRANSIT_URL'] !== undefined)
    require('PAYGRAPH_TRANSIT_TOKEN', 'with PAYGRAPH_TRANSIT_URL');
  if (given['PAYGRAPH_OIDC_ISSUER'] !== undefined)
    for (const name of ['PAYGRAPH_OIDC_CLIENT_ID', 'PAYGRAPH_OIDC_ROLES'])
      require(name, 'with PAYGRAPH_OIDC_ISSUER');
  if (given['DATABASE_DIRECT_URL'] !== undefined)
    for (const name of ['DATABASE_URL', 'DATABASE_READ_URL']) require(name, 'with DATABASE_DIRECT_URL');
  if (given['PAYGRAPH_TRACES_HEADERS'] !== undefined)
    require('PAYGRAPH_TRACES_URL', 'with PAYGRAPH_TRACES_HEADERS');
  if (given['DATABASE_REPLICA_URL'] !== undefined) require('DATABASE_URL', 'with DATABASE_REPLICA_URL');
  if (!production) return mistakes;
  for (const name of ['DATABASE_URL', ...(transit ? [] : ['PAYGRAPH_MASTER_KEY']), 'PAYGRAPH_PUBLIC_URL'])
    require(name, 'in production');
  if (given['PAYGRAPH_TRANSIT_URL']?.startsWith('http:'))
    mistakes.push('PAYGRAPH_TRANSIT_URL: must be https in production');
  if (given['PAYGRAPH_OIDC_ISSUER']?.startsWith('http:'))
    mistakes.push('PAYGRAPH_OIDC_ISSUER: must be https in production');
  if (given['PAYGRAPH_PUBLIC_URL']?.startsWith('http:') && given['PAYGRAPH_ALLOW_HTTP_PUBLIC_URL'] !== 'true')
    mistakes.push(
      'PAYGRAPH_PUBLIC_URL: must be https in production. Behind a proxy without TLS, set PAYGRAPH_ALLOW_HTTP_PUBLIC_URL=true',
    );
  if (given['PAYGRAPH_FAILPOINTS'] !== undefined) mistakes.push('PAYGRAPH_FAILPOINTS: refused in production');
  return mistakes;
}

/** Returns the environment of a process. Events and calls of providers name it. */
export const environmentOf = ({ production }: Pick<Config, 'production'>): 'production' | 'sandbox' =>
  production ? 'production' : 'sandbox';

/** Returns the address of the configured database that passes a pooler by. */
export const directUrl = ({ DATABASE_DIRECT_URL, DATABASE_URL }: Config): string | undefined =>
  DATABASE_DIRECT_URL ?? DATABASE_URL;

/** Returns the configuration of a command. A command passes a pooler by, since it holds locks of a session. */
export const withoutPooler = (config: Config, url: string): Config => ({
  ...config,
  DATABASE_URL: url,
  DATABASE_DIRECT_URL: undefined,
  DATABASE_READ_URL: undefined,
  DATABASE_REPLICA_URL: undefined,
});

import { isIP } from 'node:net';
import { z } from 'zod';

/** What the operator decided. Read once at start; nothing else reads the environment. */
export type Config = Readonly<z.output<typeof schema>> & {
  /** Production is NODE_ENV=production; anything else is a sandbox. */
  readonly production: boolean;
};

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
const flag = oneOf(['true', 'false']).transform((word) => word === 'true');
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
const wholeNumber = (min: number, max: number) => {
  const sentence = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(sentence).int(sentence).min(min, sentence).max(max, sentence);
};

/** Null when it is off. A word and not 0, which could be taken for "remove at once". */
const wholeNumberOrOff = (min: number, max: number) => {
  const sentence = `must be a whole number from ${min} to ${max}, or off`;
  return z
    .string()
    .refine(
      (text) => text === 'off' || (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max),
      sentence,
    )
    .transform((text) => (text === 'off' ? null : Number(text)));
};

const isAddressOrNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (most < 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
};

const isMasterKey = (text: string): boolean => Buffer.from(text, 'base64').length === 32;

const schema = z.object({
  /** Address to listen on. 127.0.0.1 keeps a sandbox on this machine. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Port to listen on; 0 takes any free one. */
  PORT: wholeNumber(0, 65_535).default(4000),
  /** Postgres to use. Left out in the sandbox: one of our own is started in the data folder. */
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: 'must be an address such as postgresql://user:password@host:5432/database',
    })
    .optional(),
  /** Most connections to Postgres that one process opens. */
  DATABASE_POOL: wholeNumber(4, 200).default(16),
  /** Folder of the embedded Postgres, the sandbox's key and the sandbox's API key. */
  PAYGRAPH_DATA_DIR: z.string().min(1).default('.paygraph'),
  /** Address under which others reach this service; in webhook addresses. Left out: the address listened on. */
  PAYGRAPH_PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** What wraps data keys: local is the master key, transit an external service; what is set beside it unwraps only. */
  PAYGRAPH_KEY_PROVIDER: oneOf(['local', 'transit']).default('local'),
  /** 32 bytes, base64: encrypts the data keys. Required in production with local; the sandbox makes one in the data folder. */
  PAYGRAPH_MASTER_KEY: z.string().refine(isMasterKey, 'must be 32 bytes in base64').optional(),
  /** Further master keys (comma-separated), which unwrap only: the former ones, until rotate-keys has run. */
  PAYGRAPH_MASTER_KEY_PREVIOUS: list
    .refine((keys) => keys.every(isMasterKey), 'must be keys of 32 bytes in base64, with a comma between')
    .default([]),
  /** Address of a key service with the transit API of HashiCorp Vault or OpenBao; needs PAYGRAPH_TRANSIT_TOKEN. */
  PAYGRAPH_TRANSIT_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** Token of the key service that may encrypt and decrypt by the key. */
  PAYGRAPH_TRANSIT_TOKEN: z.string().min(1).optional(),
  /** Mount of the transit engine and name of the key, with a slash between. */
  PAYGRAPH_TRANSIT_KEY: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)+$/, 'must be the mount and the name of a key, such as transit/paygraph')
    .default('transit/paygraph'),
  /** What this process does: api answers requests, worker runs relay, dispatcher and reconciliation. */
  PAYGRAPH_ROLES: list
    .pipe(z.array(oneOf(['api', 'worker'])).min(1, 'must be api, worker or both, with a comma between'))
    .default(['api', 'worker']),
  /** compiled runs hot operations through a compiler; reference runs all through graphql-js. */
  PAYGRAPH_EXECUTOR: oneOf(['compiled', 'reference']).default('compiled'),
  /** Serve each subgraph at /subgraphs/<name> for a router; needs PAYGRAPH_ROUTER_SECRET. */
  PAYGRAPH_SUBGRAPHS: flag.default(false),
  /** Secret that a router sends as `x-router-secret`; at least 32 characters. */
  PAYGRAPH_ROUTER_SECRET: z.string().min(32, 'must be at least 32 characters').optional(),
  /** Longest wait for a provider's answer, in milliseconds; after it the outcome is unknown and reconciled. */
  PAYGRAPH_PROVIDER_DEADLINE_MS: wholeNumber(1, 120_000).default(10_000),
  /** Networks (CIDR, comma-separated) that outbound requests may reach although they are not public. The sandbox allows this machine. */
  PAYGRAPH_ALLOWED_NETWORKS: list.default([]),
  /** Pages (origins, comma-separated) other than our own that may open websockets from a browser. */
  PAYGRAPH_ALLOWED_ORIGINS: list.default([]),
  /** Proxies in front (addresses or CIDR, comma-separated) that are believed where a request came from, by X-Forwarded-For. */
  PAYGRAPH_TRUSTED_PROXIES: list
    .refine(
      (proxies) => proxies.every(isAddressOrNetwork),
      'must be addresses or networks, with a comma between',
    )
    .default([]),
  /** Days for which events are kept in the feed, more than the seven of a delivery; off keeps them for ever. */
  PAYGRAPH_EVENT_RETENTION_DAYS: wholeNumberOrOff(8, 36_500).default(90),
  /** Serve Prometheus metrics at /metrics, to everybody who reaches the port. */
  PAYGRAPH_METRICS: flag.default(false),
  LOG_LEVEL: oneOf(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  /** Tests only: what happens at named points. Refused in production. */
  PAYGRAPH_FAILPOINTS: z.string().default(''),
});

/** Every setting with its name, for the documentation test. */
export const settingNames = Object.keys(schema.shape);

/** All mistakes of a configuration, together. */
export class ConfigError extends Error {}

/**
 * Reads the configuration from environment variables. An empty variable counts as left out.
 * Throws one ConfigError that lists every mistake; values are not repeated in it.
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

/** What one setting asks of another; told also when other settings are wrong, so that nobody has to start twice. */
function missing(given: Readonly<Record<string, string | undefined>>, production: boolean): string[] {
  const mistakes: string[] = [];
  const require = (name: string, why: string): void => {
    if (given[name] === undefined) mistakes.push(`${name}: required ${why}`);
  };
  if (given['PAYGRAPH_SUBGRAPHS'] === 'true')
    require('PAYGRAPH_ROUTER_SECRET', 'when PAYGRAPH_SUBGRAPHS is true');
  const transit = given['PAYGRAPH_KEY_PROVIDER'] === 'transit';
  if (transit) require('PAYGRAPH_TRANSIT_URL', 'when PAYGRAPH_KEY_PROVIDER is transit');
  if (given['PAYGRAPH_TRANSIT_URL'] !== undefined)
    require('PAYGRAPH_TRANSIT_TOKEN', 'with PAYGRAPH_TRANSIT_URL');
  if (!production) return mistakes;
  for (const name of ['DATABASE_URL', ...(transit ? [] : ['PAYGRAPH_MASTER_KEY']), 'PAYGRAPH_PUBLIC_URL'])
    require(name, 'in production');
  if (given['PAYGRAPH_TRANSIT_URL']?.startsWith('http:'))
    mistakes.push('PAYGRAPH_TRANSIT_URL: must be https in production');
  if (given['PAYGRAPH_FAILPOINTS'] !== undefined) mistakes.push('PAYGRAPH_FAILPOINTS: refused in production');
  return mistakes;
}

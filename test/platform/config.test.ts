import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import {
  ConfigError,
  parseConfig,
  settingNames,
  unknownSettings,
} from '../../src/platform/process/config.ts';
import { masterKeyText } from '../support/master-key.ts';

type Environment = Readonly<Record<string, string>>;

const mistakes = (environment: Environment): readonly string[] => {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
};

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://paygraph@db/paygraph',
  PAYGRAPH_MASTER_KEY: masterKeyText(1),
  PAYGRAPH_PUBLIC_URL: 'https://pay.example.com',
};

/** Master keys of 32 bytes that a person could guess. */
const GUESSABLE = [
  Buffer.alloc(32),
  Buffer.alloc(32, 'paygraph'),
  Buffer.from(Array.from({ length: 32 }, (_, index) => index)),
  Buffer.from('Correct Horse Battery Staple 42!'),
];

describe('the configuration', () => {
  it('of an empty environment is a sandbox on this machine', () => {
    expect(parseConfig({ PORT: '', HOST: '' })).toEqual({
      production: false,
      HOST: '127.0.0.1',
      PORT: 4000,
      DATABASE_POOL: 16,
      DATABASE_READ_POOL: 8,
      PAYGRAPH_READ_TIMEOUT_MS: 5_000,
      PAYGRAPH_LIST_SCAN_LIMIT: 10_000,
      PAYGRAPH_REQUESTS_PER_SECOND: 1_000,
      PAYGRAPH_COST_PER_SECOND: 5_000,
      PAYGRAPH_LATE_WORK_MS: 500,
      PAYGRAPH_BOOKS_CALLS_PER_MINUTE: 30,
      PAYGRAPH_CIRCUIT_FAILURE_PERCENT: 50,
      PAYGRAPH_CIRCUIT_CALLS: 10,
      PAYGRAPH_CARD_NUMBERS_PER_DAY: 10,
      PAYGRAPH_CARD_FAILURES_PER_HOUR: 500,
      PAYGRAPH_DATA_DIR: '.paygraph',
      PAYGRAPH_ALLOW_HTTP_PUBLIC_URL: false,
      PAYGRAPH_CONNECTORS: [],
      PAYGRAPH_ALLOWED_HOSTS: [],
      PAYGRAPH_SHARE_SANDBOX_TOKEN: false,
      PAYGRAPH_ALLOW_SANDBOX_PROVIDERS: false,
      PAYGRAPH_KEY_PROVIDER: 'local',
      PAYGRAPH_MASTER_KEY_PREVIOUS: [],
      PAYGRAPH_TRANSIT_KEY: 'transit/paygraph',
      PAYGRAPH_ROLES: ['api', 'worker'],
      PAYGRAPH_EXECUTOR: 'compiled',
      PAYGRAPH_DASHBOARD: 'on',
      PAYGRAPH_REST_PATH: '',
      PAYGRAPH_SUBGRAPHS: false,
      PAYGRAPH_SUBGRAPH_SCOPES: true,
      PAYGRAPH_ALLOWED_NETWORKS: [],
      PAYGRAPH_ALLOWED_ORIGINS: [],
      PAYGRAPH_TRUSTED_PROXIES: [],
      PAYGRAPH_EVENT_RETENTION_DAYS: 90,
      PAYGRAPH_LOG_PARTITION: 1_000_000,
      PAYGRAPH_AUDIT_RETENTION_DAYS: 400,
      PAYGRAPH_METRICS: false,
      PAYGRAPH_ACCESS_LOG: true,
      PAYGRAPH_TRACES_HEADERS: {},
      PAYGRAPH_TRACES_PERCENT: 10,
      PAYGRAPH_OUTLET_NATS_STREAM: 'paygraph',
      PAYGRAPH_OUTLET_NATS_SUBJECT: 'paygraph',
      PAYGRAPH_OUTLET_KAFKA_TOPIC: 'paygraph.events',
      PAYGRAPH_OUTLET_KAFKA_TLS: false,
      PAYGRAPH_OUTLET_KAFKA_MECHANISM: 'scram-sha-512',
      LOG_LEVEL: 'info',
      PAYGRAPH_FAILED_TOKENS_PER_SECOND: 10,
      PAYGRAPH_SIGN_INS_PER_MINUTE: 20,
      PAYGRAPH_OIDC_SCOPES: 'openid email profile',
      PAYGRAPH_OIDC_GROUPS_CLAIM: 'groups',
      PAYGRAPH_OIDC_ROLES: [],
      PAYGRAPH_REFUND_APPROVAL: {},
      PAYGRAPH_FAILPOINTS: '',
    });
  });

  it('reads limits of refunds by currency', () => {
    const limits = (text: string) => parseConfig({ PAYGRAPH_REFUND_APPROVAL: text }).PAYGRAPH_REFUND_APPROVAL;

    expect(limits('EUR:50000, *:0')).toEqual({ EUR: 50_000, '*': 0 });
    for (const wrong of ['EUR', 'EUR:-1', 'eur:1', 'EUR:1.5', 'EUR:1,EUR:2', 'EUR:123456789'])
      expect(() => limits(wrong)).toThrow('PAYGRAPH_REFUND_APPROVAL: must be limits such as EUR:50000');
  });

  it('accepts lists with commas and spaces', () => {
    const config = parseConfig({
      PAYGRAPH_ROLES: 'worker',
      PAYGRAPH_ALLOWED_NETWORKS: '10.0.0.0/8, 192.168.1.0/24,',
    });
    expect(config.PAYGRAPH_ROLES).toEqual(['worker']);
    expect(config.PAYGRAPH_ALLOWED_NETWORKS).toEqual(['10.0.0.0/8', '192.168.1.0/24']);
  });

  it.each(['10.0.0.5', '10.0.0.0/8,::1', '2001:db8::/32'])('trusts the proxies %s', (proxies) => {
    expect(mistakes({ PAYGRAPH_TRUSTED_PROXIES: proxies })).toEqual([]);
  });

  it.each(['true', '*', '10.0.0.0/33', '10.0.0.0/8/8', 'proxy.example', '10.0.0.1/x'])(
    'trusts no proxies such as %s',
    (proxies) => {
      expect(mistakes({ PAYGRAPH_TRUSTED_PROXIES: proxies })).toEqual([
        'PAYGRAPH_TRUSTED_PROXIES: must be addresses or networks, with a comma between',
      ]);
    },
  );

  it('keeps events for some days, or for ever', () => {
    const days = (text: string) =>
      parseConfig({ PAYGRAPH_EVENT_RETENTION_DAYS: text }).PAYGRAPH_EVENT_RETENTION_DAYS;
    expect([days('8'), days('36500'), days('off')]).toEqual([8, 36_500, null]);
  });

  it('of production is complete with an address, a database and a key', () => {
    expect(mistakes(PRODUCTION)).toEqual([]);
    expect(parseConfig(PRODUCTION).production).toBe(true);
    const { PAYGRAPH_MASTER_KEY: _, ...without } = PRODUCTION;
    const transit = {
      PAYGRAPH_KEY_PROVIDER: 'transit',
      PAYGRAPH_TRANSIT_URL: 'https://keys.example.com',
      PAYGRAPH_TRANSIT_TOKEN: 's.t',
    };
    expect(mistakes({ ...without, ...transit })).toEqual([]);
  });

  it.each<readonly [Environment, readonly string[]]>([
    [{ PORT: 'http' }, ['PORT: must be a whole number from 0 to 65535']],
    [{ PORT: '65536' }, ['PORT: must be a whole number from 0 to 65535']],
    [{ PORT: '80.5' }, ['PORT: must be a whole number from 0 to 65535']],
    [{ DATABASE_POOL: '3' }, ['DATABASE_POOL: must be a whole number from 4 to 200']],
    [{ DATABASE_POOL: '201' }, ['DATABASE_POOL: must be a whole number from 4 to 200']],
    [
      { DATABASE_URL: 'localhost:5432' },
      [
        'DATABASE_URL: must be an address such as postgresql://user:password@host:5432/database, with a comma between several hosts',
      ],
    ],
    [
      { DATABASE_URL: 'postgresql://one,two/paygraph?target_session_attrs=any' },
      [
        'DATABASE_URL: must be an address such as postgresql://user:password@host:5432/database, with a comma between several hosts. Its target_session_attrs may be read-write or primary',
      ],
    ],
    [
      { DATABASE_URL: 'postgresql://pooler/paygraph', DATABASE_DIRECT_URL: 'postgresql://db/paygraph' },
      ['DATABASE_READ_URL: required with DATABASE_DIRECT_URL'],
    ],
    [{ PAYGRAPH_PUBLIC_URL: 'ftp://x' }, ['PAYGRAPH_PUBLIC_URL: must be an http or https address']],
    [{ PAYGRAPH_MASTER_KEY: 'c2hvcnQ=' }, ['PAYGRAPH_MASTER_KEY: must be 32 bytes in base64']],
    ...GUESSABLE.map(
      (key) =>
        [
          { PAYGRAPH_MASTER_KEY: key.toString('base64') },
          [
            'PAYGRAPH_MASTER_KEY: can be guessed. Make a random one with: openssl rand -base64 32. Keep the former one in PAYGRAPH_MASTER_KEY_PREVIOUS until rotate-keys has run',
          ],
        ] as const,
    ),
    [
      { PAYGRAPH_MASTER_KEY_PREVIOUS: `${masterKeyText(2)},c2hvcnQ=` },
      ['PAYGRAPH_MASTER_KEY_PREVIOUS: must be keys of 32 bytes in base64, with a comma between'],
    ],
    [{ PAYGRAPH_KEY_PROVIDER: 'kms' }, ['PAYGRAPH_KEY_PROVIDER: must be one of local, transit']],
    [
      { PAYGRAPH_KEY_PROVIDER: 'transit' },
      ['PAYGRAPH_TRANSIT_URL: required when PAYGRAPH_KEY_PROVIDER is transit'],
    ],
    [
      { PAYGRAPH_TRANSIT_URL: 'https://keys.example.com' },
      ['PAYGRAPH_TRANSIT_TOKEN: required with PAYGRAPH_TRANSIT_URL'],
    ],
    [
      { PAYGRAPH_TRANSIT_URL: 'keys:8200' },
      [
        'PAYGRAPH_TRANSIT_URL: must be an http or https address',
        'PAYGRAPH_TRANSIT_TOKEN: required with PAYGRAPH_TRANSIT_URL',
      ],
    ],
    [
      { PAYGRAPH_TRANSIT_KEY: 'paygraph' },
      ['PAYGRAPH_TRANSIT_KEY: must be the mount and the name of a key, such as transit/paygraph'],
    ],
    [
      { ...PRODUCTION, PAYGRAPH_TRANSIT_URL: 'http://keys.example.com', PAYGRAPH_TRANSIT_TOKEN: 's.t' },
      ['PAYGRAPH_TRANSIT_URL: must be https in production'],
    ],
    [{ PAYGRAPH_ROLES: 'api,boss' }, ['PAYGRAPH_ROLES: must be one of api, worker']],
    [
      {
        PAYGRAPH_TRACES_URL: 'collector:4318',
        PAYGRAPH_TRACES_HEADERS: 'team',
        PAYGRAPH_TRACES_PERCENT: '0',
      },
      [
        'PAYGRAPH_TRACES_URL: must be an http or https address',
        'PAYGRAPH_TRACES_HEADERS: must be headers such as name=value, with a comma between',
        'PAYGRAPH_TRACES_PERCENT: must be a whole number from 1 to 100',
      ],
    ],
    [{ PAYGRAPH_TRACES_HEADERS: 'a=b' }, ['PAYGRAPH_TRACES_URL: required with PAYGRAPH_TRACES_HEADERS']],
    [{ PAYGRAPH_ROLES: ',' }, ['PAYGRAPH_ROLES: must be api, worker or both, with a comma between']],
    [{ PAYGRAPH_EXECUTOR: 'fast' }, ['PAYGRAPH_EXECUTOR: must be one of compiled, reference']],
    [{ PAYGRAPH_SUBGRAPHS: 'yes' }, ['PAYGRAPH_SUBGRAPHS: must be one of true, false']],
    [{ PAYGRAPH_SUBGRAPHS: 'true' }, ['PAYGRAPH_ROUTER_SECRET: required when PAYGRAPH_SUBGRAPHS is true']],
    [
      { PAYGRAPH_SUBGRAPHS: 'true', PAYGRAPH_ROUTER_SECRET: 'too short' },
      ['PAYGRAPH_ROUTER_SECRET: must be at least 32 characters'],
    ],
    [
      { PAYGRAPH_PROVIDER_DEADLINE_MS: '0' },
      ['PAYGRAPH_PROVIDER_DEADLINE_MS: must be a whole number from 1 to 120000'],
    ],
    ...['7', '0', '90.5', 'never', '36501'].map(
      (days) =>
        [
          { PAYGRAPH_EVENT_RETENTION_DAYS: days },
          ['PAYGRAPH_EVENT_RETENTION_DAYS: must be a whole number from 8 to 36500, or off'],
        ] as const,
    ),
    [{ LOG_LEVEL: 'loud' }, ['LOG_LEVEL: must be one of silent, error, warn, info, debug']],
    [
      { NODE_ENV: 'production' },
      [
        'DATABASE_URL: required in production',
        'PAYGRAPH_MASTER_KEY: required in production',
        'PAYGRAPH_PUBLIC_URL: required in production',
      ],
    ],
    [
      { ...PRODUCTION, PAYGRAPH_PUBLIC_URL: 'http://pay.example.com' },
      [
        'PAYGRAPH_PUBLIC_URL: must be https in production. Behind a proxy without TLS, set PAYGRAPH_ALLOW_HTTP_PUBLIC_URL=true',
      ],
    ],
    [
      { ...PRODUCTION, PAYGRAPH_PUBLIC_URL: 'http://pay.internal', PAYGRAPH_ALLOW_HTTP_PUBLIC_URL: 'true' },
      [],
    ],
    [
      { ...PRODUCTION, PAYGRAPH_FAILPOINTS: 'capture.claimed=kill' },
      ['PAYGRAPH_FAILPOINTS: refused in production'],
    ],
  ])('refuses %j', (environment, sentences) => {
    expect(mistakes(environment)).toEqual(sentences);
  });

  it('lists every mistake at once, and never repeats a value', () => {
    const notified = mistakes({
      NODE_ENV: 'production',
      PORT: 's3cret',
      DATABASE_URL: 's3cret',
      PAYGRAPH_MASTER_KEY: 's3cret',
    });
    expect(notified.map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'DATABASE_URL',
      'PAYGRAPH_MASTER_KEY',
      'PAYGRAPH_PUBLIC_URL',
    ]);
    expect(notified.join()).not.toContain('s3cret');
  });
});

describe('.env.example', () => {
  it('lists every setting once, with its default, and no other', async () => {
    const text = await readFile('.env.example', 'utf8');
    const listed = [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    expect(listed.map(([name]) => name).sort()).toEqual([...settingNames].sort());
    expect(parseConfig(Object.fromEntries(listed))).toEqual(parseConfig({}));
  });
});

describe('variables that are no settings', () => {
  it('are named with the setting that was meant', () => {
    const environment = { PAYGRAPH_PUBLIC_ULR: 'x', PAYGRAPH_METRIC: 'true', PAYGRAPH_COLOUR: 'red' };
    expect(unknownSettings({ ...PRODUCTION, ...environment })).toEqual([
      { name: 'PAYGRAPH_COLOUR', similar: null },
      { name: 'PAYGRAPH_METRIC', similar: 'PAYGRAPH_METRICS' },
      { name: 'PAYGRAPH_PUBLIC_ULR', similar: 'PAYGRAPH_PUBLIC_URL' },
    ]);
  });

  it('are none of others, of the settings, or of a command', () => {
    const environment = { PATH: '/bin', PORT: '1', PAYGRAPH_METRICS: 'x', PAYGRAPH_SETUP_PUBLIC_KEY: 'x' };
    expect(unknownSettings(environment)).toEqual([]);
  });
});

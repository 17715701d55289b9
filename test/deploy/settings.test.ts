import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import schema from '../../src/deploy/chart/values.schema.json' with { type: 'json' };
import { settingNames } from '../../src/platform/process/config.ts';

/** Settings that a Secret holds, because the values of a chart are no place for them. */
const SECRET = [
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'DATABASE_REPLICA_URL',
  'DATABASE_URL',
  'PAYGRAPH_MASTER_KEY',
  'PAYGRAPH_MASTER_KEY_PREVIOUS',
  'PAYGRAPH_OIDC_CLIENT_SECRET',
  'PAYGRAPH_OUTLET_KAFKA_PASSWORD',
  'PAYGRAPH_OUTLET_NATS_PASSWORD',
  'PAYGRAPH_ROUTER_SECRET',
  'PAYGRAPH_TRACES_HEADERS',
  'PAYGRAPH_TRANSIT_TOKEN',
];

/** Settings that the chart or the image decides, or that production refuses. */
const DECIDED = [
  'HOST',
  'PAYGRAPH_DATA_DIR',
  'PAYGRAPH_FAILPOINTS',
  'PAYGRAPH_METRICS',
  'PAYGRAPH_PUBLIC_URL',
  'PAYGRAPH_ROLES',
  'PAYGRAPH_SHARE_SANDBOX_TOKEN',
  'PORT',
];

it('The values of the chart take every other setting of the service', () => {
  const { enum: taken } = schema.properties.settings.propertyNames;
  expect([...taken, ...SECRET, ...DECIDED].toSorted()).toEqual(settingNames.toSorted());
});

/** A setting of a command, which the service itself does not read. */
const OF_SETUP = 'PAYGRAPH_SETUP_PUBLIC_KEY';

/** Variables of the compose file alone. */
const OF_COMPOSE = ['PAYGRAPH_IMAGE', 'PAYGRAPH_PORT'];

it.each(['Dockerfile', 'compose.yaml', 'src/docs/operate/image.md', 'src/deploy/router/gateway.config.mjs'])(
  'Every setting that is named exists: %s',
  (file) => {
    const named = readFileSync(file, 'utf8').match(/\bPAYGRAPH_[A-Z_]+\b/g) ?? [];
    const known = [...settingNames, OF_SETUP, ...OF_COMPOSE];

    expect(named.length).toBeGreaterThan(0);
    expect([...new Set(named)].filter((name) => !known.includes(name))).toEqual([]);
  },
);

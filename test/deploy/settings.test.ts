import { expect, it } from '@jest/globals';
import schema from '../../src/deploy/chart/values.schema.json' with { type: 'json' };
import { settingNames } from '../../src/platform/process/config.ts';

/** Settings that a Secret holds, because the values of a chart are no place for them. */
const SECRET = [
  'DATABASE_URL',
  'PAYGRAPH_MASTER_KEY',
  'PAYGRAPH_MASTER_KEY_PREVIOUS',
  'PAYGRAPH_OIDC_CLIENT_SECRET',
  'PAYGRAPH_ROUTER_SECRET',
  'PAYGRAPH_TRANSIT_TOKEN',
];

/** Settings that the chart or the image decides, or that production refuses. */
const DECIDED = [
  'HOST',
  'PAYGRAPH_DATA_DIR',
  'PAYGRAPH_FAILPOINTS',
  'PAYGRAPH_PUBLIC_URL',
  'PAYGRAPH_ROLES',
  'PAYGRAPH_SHARE_SANDBOX_TOKEN',
  'PORT',
];

it('The values of the chart take every other setting of the service', () => {
  const { enum: taken } = schema.properties.settings.propertyNames;
  expect([...taken, ...SECRET, ...DECIDED].toSorted()).toEqual(settingNames.toSorted());
});

import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeBundle } from '../../src/cli/doctor/bundle.ts';
import { parseConfig, settingNames } from '../../src/platform/process/config.ts';
import { masterKeyText } from '../support/master-key.ts';
import { CARD, startHarness, type Harness } from '../transactions/harness.ts';

/** Values that must not leave the installation, in settings and in rows. */
const SECRETS = {
  PAYGRAPH_MASTER_KEY: masterKeyText(1),
  PAYGRAPH_ROUTER_SECRET: 'router-secret-of-at-least-32-letters',
  PAYGRAPH_TRANSIT_TOKEN: 'transit-token-4111111111111111',
  PAYGRAPH_TRANSIT_URL: 'http://user:transit-word@127.0.0.1:8200',
  PAYGRAPH_OIDC_ISSUER: 'http://login.secret.example',
  PAYGRAPH_OIDC_CLIENT_ID: 'oidc-client-name',
  PAYGRAPH_OIDC_CLIENT_SECRET: 'oidc-client-secret',
  PAYGRAPH_OIDC_ROLES: 'secret-group=owner',
  PAYGRAPH_TOKEN_AUDIENCE: 'secret-audience',
  PAYGRAPH_ALLOWED_HOSTS: 'secret-host.example',
  PAYGRAPH_PUBLIC_URL: 'http://pay.secret.example',
};
const BUYER = {
  displayName: 'Erika Mustermann',
  externalIdentifier: 'buyer-secret',
  billingDetails: { firstName: 'Erika', lastName: 'Mustermann', emailAddress: 'erika@example.org' },
};

let harness: Harness;
let folder: string;
let text: string;
beforeAll(async () => {
  harness = await startHarness();
  folder = await mkdtemp(join(tmpdir(), 'paygraph-bundle-'));
  await harness.create({
    ...{ buyer: BUYER, externalIdentifier: '4111111111111111x', metadata: { note: 'secret-note' } },
  });
  await harness.ask(
    `mutation { createWebhookEndpoint(input: { url: "https://hooks.secret.example/in",
      headers: [{ name: "x-key", value: "header-secret" }] }) { userErrors { message } } }`,
  );
  const { DATABASE_URL = '' } = harness.server.app.config;
  const config = parseConfig({ ...SECRETS, DATABASE_URL });
  const sentence = `${DATABASE_URL} does not answer.`;
  await writeBundle(join(folder, 'bundle.json'), config, [{ check: 'database', state: 'failed', sentence }]);
  text = await readFile(join(folder, 'bundle.json'), 'utf8');
});
afterAll(async () => {
  await harness.stop();
  await rm(folder, { recursive: true });
});

type Bundle = {
  readonly findings: readonly unknown[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly database: {
    readonly server: readonly { readonly name: string }[];
    readonly migrations: readonly { readonly name: string }[];
    readonly waiting: { readonly offsetMs: number; readonly oldestEvent: string | null };
    readonly relations: readonly { readonly name: string; readonly bytes: number }[];
  };
};

describe('the file for a support case', () => {
  it('holds no secret of the settings, nothing of a row, and no number of a card', () => {
    const database = new URL(harness.server.app.config.DATABASE_URL ?? '');
    const kept = [
      ...Object.values(SECRETS),
      ...[CARD.number, CARD.number.replaceAll(' ', ''), 'Erika', 'Mustermann', 'example.org', 'buyer-secret'],
      ...['secret-note', 'secret.example', 'header-secret', 'transit-word', harness.server.merchantAccountId],
      ...[database.pathname.slice(1), `:${database.port}`, database.href],
    ];

    expect(kept.filter((value) => value !== 'default' && text.includes(value))).toEqual([]);
    expect(text).not.toMatch(/\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}/);
  });

  it('has the versions, the settings that are numbers or choices, and the sizes and ages of the database', () => {
    const { findings, settings, database } = JSON.parse(text) as Bundle;

    expect(findings).toEqual([{ check: 'database', state: 'failed' }]);
    expect(settings).toMatchObject({
      ...{ DATABASE_URL: 'set', DATABASE_POOL: 16, LOG_LEVEL: 'info', PAYGRAPH_ROLES: ['api', 'worker'] },
      ...{ PAYGRAPH_ROUTER_SECRET: 'set', PAYGRAPH_METRICS: false, production: false },
    });
    expect(Object.keys(settings).filter((name) => !settingNames.includes(name))).toEqual(['production']);
    expect(database.server.map(({ name }) => name)).toContain('shared_buffers');
    expect(database.migrations.length).toBeGreaterThan(10);
    expect(database.waiting.oldestEvent).not.toBeNull();
    expect(database.relations.map(({ name }) => name)).toContain('transaction_pkey');
  });

  it('is readable for its owner alone, and replaces no file', async () => {
    const file = join(folder, 'bundle.json');

    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(writeBundle(file, null, [])).rejects.toThrow('could not be written: EEXIST.');
  });
});

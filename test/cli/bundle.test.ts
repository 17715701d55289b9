import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { writeBundle } from '../../src/cli/doctor/bundle.ts';
import { readLogErrors, showError } from '../../src/cli/doctor/log-errors.ts';
import { readOwnSentences } from '../../src/cli/doctor/own-sentences.ts';
import { doctor } from '../../src/cli/run/doctor.ts';
import { openDb, queryOn } from '../../src/platform/database/db.ts';
import { readPlans } from '../../src/cli/doctor/plans.ts';
import { readRelationSizes } from '../../src/platform/database/sizes/sizes.sql.ts';
import { readPlan } from '../../src/platform/database/plans/plan.sql.ts';
import { preparedTexts } from '../../src/platform/database/statement.ts';
import { FORM } from '../../src/platform/log.ts';
import { parseConfig, settingNames } from '../../src/platform/process/config.ts';
import { paygraph } from '../support/command.ts';
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

const REQUEST = '01a22b6a-dae0-70fe-b9da-db246611cd6f';
const TRACE = '0af7651916cd43dd8448eb211c80319c';

/** Writes errors as a process in a container does, among lines of others. */
function linesOfErrors(): string {
  const lines: string[] = [
    'Error: Erika Mustermann',
    '{"level":50,"msg":"cut',
    '{"level":"error","msg":"Erika"}',
  ];
  const log = pino(FORM, { write: (line: string) => void lines.push(`api-1  | ${line.trim()}`) });
  const error = Object.assign(new RangeError('getaddrinfo ENOTFOUND db.secret.example'), {
    ...{ code: 'ENOTFOUND', detail: 'Key (email)=(erika@example.org) exists.' },
    stack: [
      'RangeError: Erika',
      'at pay (file:///home/erika/src/paygraph/src/modules/pay.ts:12:3)',
      'at /home/erika/node_modules/pg/lib/client.js:5:17',
      'at async node:internal/process/task_queues:104:5',
      'at eval (erika)',
      'at /home/work/src/erika/pay.ts:1:1',
      'at /home/work/src/modules/erika/src/pay.ts:1:1',
      'from /home/work/src/modules/pay.ts:1:1',
      'at /app/node_modules/paygraph/build/cli/main.js:7:1',
      'at file:///app/build/http/serve.js:9:2',
    ].join('\n    '),
  });
  for (const foreign of [{ pid: 1 }, { hostname: 'erika' }]) log.error({ ...foreign, err: error }, 'Erika');
  log.info({ requestId: REQUEST, account: 'Erika' }, 'Request.');
  for (let count = 0; count < 120; count += 1) log.error({ err: error }, `Failure of ${CARD.number}.`);
  log.error(
    { err: error, requestId: REQUEST, trace_id: TRACE, merchantAccountId: 'shop-of-erika', loop: 'Erika M.' },
    'A request of "Erika" failed at https://pay.secret.example.',
  );
  return lines.join('\n');
}

/** Leaves an unknown outcome, and rows about failures with texts of others. */
async function fail(): Promise<void> {
  const { prisma } = harness.server.app.db;
  const { merchantAccountId } = harness.server;
  harness.provider.failNext('lose_answer');
  await harness.refund(await harness.captured(1299), { amount: 100 });
  const at = new Date();
  await failEndpoints(at);
  const service = await prisma.paymentService.findFirstOrThrow({ where: { merchantAccountId } });
  const ofService = { merchantAccountId, paymentServiceId: service.id };
  const failure = { failure: 'refused', failureReason: 'Erika', failedAt: at, failures: 1 };
  await prisma.settlementSource.upsert({
    where: { merchantAccountId_paymentServiceId: ofService },
    create: { ...ofService, ...failure, createdAt: at, nextFetchAt: at },
    update: failure,
  });
  const unread = { reason: 'unreadable_body', provider: 'sandbox', sealedBody: 'Erika', receivedAt: at };
  for (const digest of ['one', 'two'])
    await prisma.unreadWebhook.create({ data: { ...ofService, ...unread, id: randomUUID(), digest } });
}

/** Leaves an endpoint that fails, and such endpoints that are disabled and deleted. A retry of an earlier event failed last. */
async function failEndpoints(at: Date): Promise<void> {
  const { prisma } = harness.server.app.db;
  const { merchantAccountId } = harness.server;
  const [failing, disabled, deleted] = await prisma.webhookEndpoint.findMany({
    where: { merchantAccountId },
    orderBy: { id: 'asc' },
  });
  const attempts = [
    { position: 1n, number: 2, startedAt: at, error: 'connection_refused' },
    { position: 2n, number: 1, startedAt: new Date(at.getTime() - 60_000), statusCode: 500 },
    { position: 3n, number: 1, startedAt: new Date(at.getTime() + 1000), statusCode: 200 },
  ];
  const place = { merchantAccountId, endpointId: failing?.id ?? '' };
  for (const attempt of attempts)
    await prisma.deliveryAttempt.create({
      data: { ...place, ...attempt, id: randomUUID(), durationMs: 1, replyStart: 'Erika' },
    });
  await prisma.webhookEndpoint.updateMany({
    where: { merchantAccountId },
    data: { failingSince: at, consecutiveFailures: 1, stateReason: 'Erika' },
  });
  const change = (id = '', data: object) =>
    prisma.webhookEndpoint.update({
      where: { merchantAccountId_id: { merchantAccountId, id } },
      data,
    });
  await change(disabled?.id, { state: 'disabled' });
  await change(deleted?.id, { deletedAt: at });
}

let harness: Harness;
let folder: string;
let text: string;
beforeAll(async () => {
  harness = await startHarness();
  folder = await mkdtemp(join(tmpdir(), 'paygraph-bundle-'));
  await harness.create({
    ...{ buyer: BUYER, externalIdentifier: '4111111111111111x', metadata: { note: 'secret-note' } },
  });
  for (const path of ['in', 'disabled', 'deleted'])
    await harness.ask(
      `mutation { createWebhookEndpoint(input: { url: "https://hooks.secret.example/${path}",
        headers: [{ name: "x-key", value: "header-secret" }] }) { userErrors { message } } }`,
    );
  await fail();
  const { DATABASE_URL = '' } = harness.server.app.config;
  const config = parseConfig({ ...SECRETS, DATABASE_URL });
  const sentence = `${DATABASE_URL} does not answer.`;
  const logs = [join(folder, 'api.log'), join(folder, 'worker.log')];
  await writeFile(logs[0] ?? '', linesOfErrors());
  await writeFile(logs[1] ?? '', harness.server.logs());
  const findings = [{ check: 'database', state: 'failed', sentence }] as const;
  await writeBundle(join(folder, 'bundle.json'), config, findings, await readLogErrors(logs));
  text = await readFile(join(folder, 'bundle.json'), 'utf8');
});
afterAll(async () => {
  await harness.stop();
  await rm(folder, { recursive: true });
});

type Relations = {
  readonly sizes: readonly { readonly name: string; readonly bytes: number }[];
  readonly locked: readonly string[];
};

type Bundle = {
  readonly findings: readonly unknown[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly database: {
    readonly server: readonly { readonly name: string }[];
    readonly migrations: readonly { readonly name: string }[];
    readonly waiting: { readonly offsetMs: number; readonly oldestEvent: string | null };
    readonly relations: Relations;
    readonly plans: Readonly<Record<string, readonly string[]>>;
    readonly failures: Readonly<
      Record<string, readonly { readonly state: string; readonly count: number }[]>
    >;
  };
  readonly logs: readonly { readonly found: number; readonly latest: readonly object[] }[];
};

describe('the file for a support case', () => {
  it('holds no secret of the settings, nothing of a row, and no number of a card', () => {
    const database = new URL(harness.server.app.config.DATABASE_URL ?? '');
    const kept = [
      ...Object.values(SECRETS),
      ...[CARD.number, CARD.number.replaceAll(' ', ''), 'Erika', 'Mustermann', 'example.org', 'buyer-secret'],
      ...[
        'erika',
        'secret-note',
        'secret.example',
        'header-secret',
        'transit-word',
        harness.server.merchantAccountId,
      ],
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
    expect(database.relations.sizes.map(({ name }) => name)).toContain('transaction_pkey');
    expect(database.relations.locked).toEqual([]);
  });

  it('has the plans of payments and lists, each for any values', () => {
    const { plans } = (JSON.parse(text) as Bundle).database;

    expect(Object.keys(plans).length).toBeGreaterThan(25);
    expect(Object.entries(plans).filter(([, plan]) => !Array.isArray(plan))).toEqual([]);
    expect(plans['claim_capture']?.join('\n')).toMatch(/Index Scan using \w+ on \w+.*cost=/);
    // Statistics of so few rows choose among several indexes.
    expect(plans['list_transactions_line_created_at_desc_forward']?.join('\n')).toMatch(
      /Index Scan (Backward )?using transaction_\w+ on transaction/,
    );
    expect(plans['settle_capture_succeeded']?.join('\n')).toContain('Update on transaction');
  });

  it('has the failures that the database keeps, by their reason', () => {
    const { failures } = (JSON.parse(text) as Bundle).database;
    const oldest = expect.stringMatching(/^\d{4}-.*Z$/);

    expect(failures).toEqual({
      operations: [{ state: 'connection', count: 1, oldest }],
      webhooks: [{ state: 'connection_refused', count: 1, oldest }],
      unreadWebhooks: [{ state: 'unreadable_body', count: 2, oldest }],
      settlements: [{ state: 'refused', count: 1, oldest }],
    });
  });

  it('has the latest errors of each log, by names and places alone', () => {
    const { logs } = JSON.parse(text) as Bundle;
    const frames = [
      'src/modules/pay.ts:12:3',
      'node_modules/pg/lib/client.js:5:17',
      'node:internal/process/task_queues:104:5',
      'node_modules/paygraph/build/cli/main.js:7:1',
      'build/http/serve.js:9:2',
    ];

    expect(logs.map(({ found, latest }) => [found, latest.length])).toEqual([
      [121, 100],
      [0, 0],
    ]);
    expect(logs[0]?.latest.at(-1)).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      event: null,
      error: { name: 'RangeError', code: 'ENOTFOUND', frames },
      about: { 'paygraph.request.id': REQUEST, trace_id: TRACE },
    });
    expect(logs[0]?.latest[0]).toMatchObject({ about: {} });
  });

  it.each([
    ['{"level":50,"time":1e300}', { at: null, event: null, error: null, about: {} }],
    [
      '{"level":50,"time":0,"exception.type":"4Error","error.type":"411111"}',
      {
        at: '1970-01-01T00:00:00.000Z',
        event: null,
        error: { name: null, code: null, frames: [] },
        about: {},
      },
    ],
    [
      '{"level":50,"time":0,"exception.type":"error","error.type":"23505"}',
      {
        at: '1970-01-01T00:00:00.000Z',
        event: null,
        error: { name: 'error', code: '23505', frames: [] },
        about: {},
      },
    ],
  ])('shows of %s only what has the form of a time, a name or a code', (line, shown) => {
    expect(showError(line, new Set())).toEqual(shown);
  });

  it.each([
    ['A webhook could not be signed.', true],
    ['A webhook could not be signed. Erika', false],
    ['A request of "Erika" failed.', false],
    ['transaction.captured', false],
  ])('shows the sentence "%s" only if the program has it as a constant: %p', async (msg, isOurs) => {
    const line = JSON.stringify({ level: 50, time: 0, msg });

    expect(showError(line, await readOwnSentences())?.event).toBe(isOurs ? msg : null);
  });

  it('refuses two logs from standard input', async () => {
    await expect(doctor({ bundle: join(folder, 'none.json'), log: ['-', '-'] })).rejects.toThrow(
      '--log: takes - once.',
    );
  });

  it('names the tables and indexes that a transaction locks, and reads the sizes of all others', async () => {
    const { db } = harness.server.app;
    const [holder, reader] = [await db.connect(), await db.connect()];
    try {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE transaction');
      const relations = await readRelationSizes(queryOn(reader));
      const sizes = new Map(relations.map(({ name, bytes }) => [name, bytes]));

      expect([...sizes].filter(([, bytes]) => bytes === null)).toEqual([['transaction', null]]);
      expect(sizes.get('operation')).toBeGreaterThan(0);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
      reader.release(true);
    }
  });

  it('skips the plans after the first that waits for a locked table', async () => {
    const { db, config } = harness.server.app;
    const holder = await db.connect();
    const settings = { url: config.DATABASE_URL ?? '', connectionMax: 1, applicationName: 'test' };
    try {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE transaction');
      const plans = await readPlans({ ...settings, answerWithinMs: 15_000 }, 15_000);
      const failed = Object.values(plans).filter((plan) => typeof plan === 'object' && 'failed' in plan);
      const skipped = Object.values(plans).filter((plan) => plan === 'skipped');

      expect(failed).toEqual(Array(2).fill({ failed: { name: 'error', code: '55P03' } }));
      expect(skipped.length).toBeGreaterThan(10);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  });

  // The command loads less of the program than this test does.
  it('is the same from the command', async () => {
    const file = join(folder, 'command.json');
    const { DATABASE_URL = '' } = harness.server.app.config;
    const words = ['doctor', '--bundle', file, '--log', join(folder, 'api.log'), join(folder, 'worker.log')];
    await paygraph(words, { DATABASE_URL, PAYGRAPH_DATA_DIR: folder }).ended;
    const [here, there] = [text, await readFile(file, 'utf8')].map((each) => JSON.parse(each) as Bundle);

    expect(there?.logs).toEqual(here?.logs);
    expect(Object.keys(there?.database.plans ?? {})).toEqual(Object.keys(here?.database.plans ?? {}));
  });

  it('says which log cannot be read', async () => {
    await expect(readLogErrors([join(folder, 'none.log')])).rejects.toThrow(
      'none.log could not be read: ENOENT.',
    );
  });

  it('is readable for its owner alone, and replaces no file', async () => {
    const file = join(folder, 'bundle.json');

    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(writeBundle(file, null, [])).rejects.toThrow('could not be written: EEXIST.');
  });
});

// Postgres 15 and older plan for any values once a statement is prepared.
it('a plan before Postgres 16 names the same tables', async () => {
  const db = openDb({
    url: harness.server.app.config.DATABASE_URL ?? '',
    connectionMax: 1,
    applicationName: 'test',
  });
  const client = await db.connect();
  const statements = preparedTexts().filter(({ name }) =>
    /^(claim|settle)_(authorize|capture|refund)/.test(name),
  );
  const tablesOf = async (version: number) => {
    const plans: string[] = [];
    for (const statement of statements) {
      const lines = await readPlan(queryOn(client), statement, version);
      const tables = new Set(lines.join().match(/(?<= on )\w+/g));
      plans.push(`${statement.name}: ${[...tables].toSorted().join(' ')}`);
    }
    return plans;
  };

  expect(statements.length).toBeGreaterThan(10);
  expect(await tablesOf(150_000)).toEqual(await tablesOf(180_000));
  client.release();
  await db.close();
});

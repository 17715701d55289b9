import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DIFFERENCES_MAX } from '../../src/modules/reports/index.ts';
import { paygraph, type Settings } from '../support/command.ts';
import { createEmptyDatabase, query, type TestDatabase } from '../support/database.ts';
import { masterKeyText } from '../support/master-key.ts';

let database: TestDatabase;
let folder: string;

const SETTINGS: Settings = {
  NODE_ENV: 'production',
  PAYGRAPH_PUBLIC_URL: 'https://pay.example.com',
  PAYGRAPH_MASTER_KEY: masterKeyText(7),
};

/** The end of a command, with its lines of JSON. Every line of standard output must be one. */
async function run(...words: readonly string[]) {
  const settings = { ...SETTINGS, DATABASE_URL: database.url };
  const { code, stdout, stderr } = await paygraph([...words, '--json'], settings, folder).ended;
  const lines = stdout.trim().split('\n').filter(Boolean);
  return { code, stderr, json: lines.map((line) => JSON.parse(line) as unknown) };
}

beforeAll(async () => {
  [database, folder] = await Promise.all([createEmptyDatabase(), mkdtemp(join(tmpdir(), 'paygraph-json-'))]);
});
afterAll(() => Promise.all([database.drop(), rm(folder, { recursive: true })]));

/** The head of the chain. Without a running worker, no entry is chained. */
const HEAD = /^default:\d+:([0-9a-f]{64})?$/;

describe('with --json', () => {
  it('migrate prints the names of the applied migrations', async () => {
    const [first, again] = [await run('migrate'), await run('migrate')];

    expect(first).toMatchObject({ code: 0, json: [{ applied: expect.any(Array) }] });
    expect(JSON.stringify(first.json)).toContain('_constraints');
    expect(again).toMatchObject({ code: 0, json: [{ applied: [] }] });
  });

  it('setup prints its result, and a rehearsal prints its own', async () => {
    const rehearsal = await run('setup', '--dry-run');
    const first = await run('setup');
    const again = await run('setup');

    expect(rehearsal).toMatchObject({ code: 0, json: [{ dryRun: true, addedSettings: [] }] });
    const result = { dryRun: false, addedSettings: [], applied: [], merchantAccountId: 'default' };
    const key = { kid: expect.any(String), file: 'paygraph-api-key.json' };
    expect(first).toMatchObject({ code: 0, json: [{ ...result, apiKey: { ...key, isNew: true } }] });
    expect(first.stderr).toContain('The merchant account default exists');
    expect(again).toMatchObject({ code: 0, json: [{ ...result, apiKey: { ...key, isNew: false } }] });
  });

  it('token prints the token with its claims', async () => {
    const { code, json } = await run('token', '--scopes', '*.read', '--subject', 'ada');

    const claims = { scopes: ['*.read'], subject: 'ada', audience: null, merchantAccountId: null };
    const made = { token: expect.any(String), kid: expect.any(String), jti: expect.any(String) };
    expect({ code, json }).toEqual({
      code: 0,
      json: [{ ...made, ...claims, expiresAt: expect.any(String) }],
    });
  });

  it('invite prints the address and the person', async () => {
    const { code, json } = await run('invite', '--email', 'ada@example.com');

    const person = { id: expect.any(String), email: 'ada@example.com', role: 'owner' };
    const invitationUrl = expect.stringMatching(/^https:\/\/pay\.example\.com\/dashboard\/join#/);
    expect({ code, json }).toEqual({ code: 0, json: [{ invitationUrl, person }] });
  });

  it('audit prints a line for each chain, and a line for each exported entry', async () => {
    const verified = await run('audit', '--verify');
    const exported = await run('audit', '--export');

    const chain = { merchantAccountId: 'default', entries: expect.any(Number), faults: [] };
    expect(verified).toMatchObject({ code: 0, json: [{ ...chain, head: expect.stringMatching(HEAD) }] });
    const actions = exported.json.map((entry) => (entry as { readonly action: string }).action);
    expect(actions.toSorted()).toEqual([
      ...['api-key-pair.created', 'dashboard-person.created', 'merchant-account.created', 'token.minted'],
    ]);
    expect(exported.json[0]).toMatchObject({
      ...{ merchant_account_id: 'default', actor_kind: 'command', actor_id: 'setup', before: null },
      after: { display_name: 'Default' },
    });
  });

  it('rotate-keys prints the counts, and the steps on standard error', async () => {
    const { code, json, stderr } = await run('rotate-keys', '--wait', '0');

    const counts = { rewrapped: 0, renewed: 0, resealed: expect.any(Number), retired: expect.any(Number) };
    expect({ code, json }).toEqual({
      code: 0,
      json: [{ dryRun: false, ...counts, unreadable: [], left: 0 }],
    });
    expect(stderr).toContain('New data keys: 0 of 0 merchant accounts.');
  });

  it('an error of a command is JSON, too', async () => {
    const { code, json, stderr } = await run('invite', '--email', 'ada@example.com', '--role', 'king');

    const message = '--role: must be owner, developer, support or analyst.';
    expect({ code, json }).toEqual({ code: 2, json: [] });
    expect(JSON.parse(stderr)).toEqual({ error: { message, exitCode: 2 } });
  });
});

describe('rebuild-reports', () => {
  const spoil = (count: number) =>
    query(
      database.url,
      `INSERT INTO report_bucket (merchant_account_id, dimension, grain, starts_at, value, currency, created_count, created_amount)
       SELECT 'default', 'all', 'hour', '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 hour', '', 'USD', 1, 5
       FROM generate_series(1, ${count}) n`,
    );

  it('prints a line for each merchant account, and names the differences', async () => {
    const right = await run('rebuild-reports');
    await spoil(1);
    const wrong = await run('rebuild-reports');

    const line = { merchantAccountId: 'default', mayHaveMore: false, written: false };
    expect(right).toMatchObject({ code: 0, json: [{ ...line, differences: [] }] });
    expect(wrong).toMatchObject({
      code: 1,
      json: [{ ...line, differences: [expect.stringContaining('created_count is 1 instead of 0')] }],
      stderr: expect.stringContaining('"exitCode":1'),
    });
    expect(await run('rebuild-reports', '--write')).toMatchObject({ code: 0, json: [{ written: true }] });
  });

  it('says how many differences it names when there may be more', async () => {
    await spoil(DIFFERENCES_MAX + 1);
    const settings = { ...SETTINGS, DATABASE_URL: database.url };
    const { stdout } = await paygraph(['rebuild-reports'], settings, folder).ended;
    const { json } = await run('rebuild-reports');

    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(DIFFERENCES_MAX + 2);
    expect(lines.slice(-2)).toEqual([
      'default: sums differ.',
      'default: the list names the first 1,000 differences. There may be more.',
    ]);
    expect(json).toMatchObject([{ mayHaveMore: true }]);
  });
});

describe('restored', () => {
  it('begins, shows and ends a hold, and doctor tells it', async () => {
    const before = await run('restored');
    const begun = await run('restored', '--since', '2026-01-31T04:00:00Z');
    const again = await run('restored', '--since', '2026-01-31T04:00:00Z');
    const asked = await run('restored', '--ask-again');
    const { json: examined } = await run('doctor');
    const ended = await run('restored', '--end');

    expect([before, ended]).toMatchObject([
      { code: 0, json: [{ held: false }] },
      { code: 0, json: [{ held: false, accepted: [] }] },
    ]);
    const hold = { restoredTo: '2026-01-31T04:00:00.000Z', paymentsSince: '2025-08-04T04:00:00.000Z' };
    const state = {
      held: true,
      hold,
      unknown: 0,
      undecided: 0,
      undecidedSince: null,
      unsent: 0,
      giftCards: 0,
      services: [],
      reports: 0,
      differences: 0,
    };
    expect([begun, asked]).toMatchObject([
      { code: 0, json: [state] },
      { code: 0, json: [state] },
    ]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('held back already') });
    const warning = { check: 'payments', state: 'warning', sentence: expect.stringContaining('restored') };
    expect(examined).toMatchObject([
      { findings: expect.arrayContaining([expect.objectContaining(warning)]) },
    ]);
  });

  it.each([
    ['a moment that is none', ['--since', 'yesterday'], '--since: must be a past moment'],
    ['a moment to come', ['--since', '2999-01-01'], '--since: must be a past moment'],
    ['a begin and an end', ['--since', '2026-01-01', '--end'], 'Give one of --since, --ask-again and --end.'],
    ['an acceptance without an end', ['--anyway'], 'need the option --end'],
    ['another acceptance without an end', ['--accept-unanswered'], 'need the option --end'],
    ['a question and an end', ['--ask-again', '--end'], 'Give one of --since, --ask-again and --end.'],
    ['a reach without a begin', ['--payments-since', '2026-01-01'], 'needs the option --since'],
    [
      'a reach after the backup',
      ['--since', '2026-01-01', '--payments-since', '2026-02-01'],
      'before the moment of --since',
    ],
  ])('refuses %s', async (_, words, sentence) => {
    const { code, json, stderr } = await run('restored', ...words);

    expect({ code, json, stderr }).toEqual({ code: 2, json: [], stderr: expect.stringContaining(sentence) });
  });
});

describe('move', () => {
  it('shows no moves, and counts the rows of an account without a change', async () => {
    const counted = await run('move', '--merchant-account', 'default', '--dry-run');

    expect(counted).toMatchObject({ code: 0, json: [{ account: 'default', dryRun: true }] });
    expect(JSON.stringify(counted.json)).toContain('{"name":"merchant_account","rows":"1"');
    expect(await run('move')).toMatchObject({ code: 0, json: [{ moves: [] }] });
  });

  it.each([
    ['two steps', ['--import', 'file', '--abort'], 'Give one of --export'],
    ['a step without an account', ['--abort'], 'Name the account with --merchant-account.'],
    ['the word about a target without an abort', ['--target-lost'], 'Give --target-lost with --abort.'],
    [
      'a departure to a cell that no header can name',
      ['--merchant-account', 'default', '--gone-to', 'b:'],
      '--gone-to: must be',
    ],
    ['an export to nowhere', ['--merchant-account', 'default', '--export', 'file'], '--to: must be'],
    [
      'a cell that no header can name',
      ['--merchant-account', 'default', '--export', 'file', '--to', 'b:'],
      '--to: must be',
    ],
    [
      'a long wait',
      ['--merchant-account', 'default', '--export', 'file', '--to', 'b', '--wait', '9999'],
      '--wait: must be',
    ],
  ])('refuses %s', async (_, words, sentence) => {
    const { code, json, stderr } = await run('move', ...words);

    expect({ code, json, stderr }).toEqual({ code: 2, json: [], stderr: expect.stringContaining(sentence) });
  });
});

import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paygraph, type Ended, type Settings } from '../support/command.ts';
import { createEmptyDatabase, createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { masterKeyText } from '../support/master-key.ts';

let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paygraph-setup-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const MASTER_KEY = masterKeyText(7);
const SETTINGS: Settings = {
  NODE_ENV: 'production',
  PAYGRAPH_PUBLIC_URL: 'https://pay.example.com',
  PAYGRAPH_MASTER_KEY: MASTER_KEY,
};
const inEnv = (): Settings => ({ ...SETTINGS, DATABASE_URL: database.url });

const setup = (args: readonly string[], settings: Settings = inEnv()): Promise<Ended> =>
  paygraph(['setup', '--yes', ...args], settings, folder).ended;

const keys = () =>
  query<{ thumbprint: string; scopes: string[] }>(
    database.url,
    'SELECT thumbprint, scopes FROM api_key_pair ORDER BY id',
  );

describe('paygraph setup', () => {
  it('checks everything in a rehearsal, and changes nothing', async () => {
    const ended = await setup(['--dry-run', '--database-url', database.url], {});
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('PAYGRAPH_PUBLIC_URL is missing'),
    });

    const rehearsal = await setup(
      ['--dry-run', '--database-url', database.url, '--public-url', 'https://pay.example.com'],
      {},
    );

    expect(rehearsal).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was changed.') });
    await expect(stat(join(folder, '.env'))).rejects.toThrow('ENOENT');
    const [tables] = await query<{ count: number }>(
      database.url,
      `SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(tables?.count).toBe(0);
  });

  it('brings an empty database to a first key, and changes nothing when it runs again', async () => {
    await writeFile(join(folder, '.env'), '# ours\nPAYGRAPH_MASTER_KEY=\n');
    const first = await setup(
      ['--database-url', database.url, '--public-url', 'https://pay.example.com'],
      {},
    );
    expect(first).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Error') });
    expect(first.stdout).toContain('Paygraph is set up for production.');
    const env = await readFile(join(folder, '.env'), 'utf8');
    expect(env).toMatch(
      /^# ours\nPAYGRAPH_MASTER_KEY=[\w+/]{43}=\nNODE_ENV=production\nDATABASE_URL=\S+\nPAYGRAPH_PUBLIC_URL=\S+\n$/,
    );
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
    const keyFile = join(folder, 'paygraph-api-key.json');
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    const { kid } = JSON.parse(await readFile(keyFile, 'utf8')) as { kid: string };
    expect(await keys()).toEqual([{ thumbprint: kid, scopes: ['*.read', '*.write'] }]);
    expect(
      await query(
        database.url,
        'SELECT merchant_account_id, action, actor_kind, actor_id FROM audit_entry ORDER BY action',
      ),
    ).toEqual(
      ['api-key-pair.created', 'merchant-account.created'].map((action) => ({
        ...{ merchant_account_id: 'default', action, actor_kind: 'command', actor_id: 'setup' },
      })),
    );

    const again = await setup([], {});

    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('was stored before') });
    expect(await readFile(join(folder, '.env'), 'utf8')).toBe(env);
    expect(await keys()).toHaveLength(1);
    await rm(keyFile);
    expect((await setup([], {})).stdout).toContain('A key exists already: First key');
    expect(await keys()).toHaveLength(1);
    const token = await paygraph(['token'], {}, folder).ended;
    expect(token).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run setup') });

    const wrong = { ...inEnv(), PAYGRAPH_MASTER_KEY: masterKeyText(9) };
    await query(
      database.url,
      `INSERT INTO data_key (merchant_account_id, id, purpose, version, key_encryption_key, wrapped, created_at)
       VALUES ('default', gen_random_uuid(), 'data', 1, 'another', 'x', now())`,
    );
    expect(await setup([], wrong)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('A data key was wrapped by key another'),
    });
  });

  it('stores a public key from the environment once, and writes no private key', async () => {
    const own = await createEmptyDatabase();
    const { publicKey } = generateKeyPairSync('ed25519');
    const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const settings = {
      ...SETTINGS,
      DATABASE_URL: own.url,
      PAYGRAPH_SETUP_PUBLIC_KEY: pem.replaceAll('\n', String.raw`\n`),
    };

    const [first, again] = [await setup([], settings), await setup([], settings)];

    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('Stored your public key') });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('was stored before') });
    expect(await query(own.url, 'SELECT algorithm FROM api_key_pair')).toEqual([{ algorithm: 'eddsa' }]);
    await expect(stat(join(folder, 'paygraph-api-key.json'))).rejects.toThrow('ENOENT');
    await own.drop();
  });

  it.each<[why: string, args: string[], settings: () => Settings, sentence: string]>([
    [
      'no database',
      [],
      () => ({ ...SETTINGS, DATABASE_URL: '' }),
      'DATABASE_URL is missing. Set DATABASE_URL',
    ],
    [
      'a database that is away',
      [],
      () => ({ ...SETTINGS, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }),
      'cannot be reached',
    ],
    [
      'two addresses',
      ['--public-url', 'https://other.example'],
      inEnv,
      '--public-url: PAYGRAPH_PUBLIC_URL is set',
    ],
    [
      'an address without TLS',
      [],
      () => ({ ...inEnv(), PAYGRAPH_PUBLIC_URL: 'http://pay.example.com' }),
      'https',
    ],
    ['a sandbox', [], () => ({ ...inEnv(), NODE_ENV: 'development' }), 'NODE_ENV is not production'],
    [
      'a key that is none',
      [],
      () => ({ ...inEnv(), PAYGRAPH_SETUP_PUBLIC_KEY: 'x' }),
      'Must be a public key as PEM',
    ],
    ['an account that is none', ['--merchant-account', 'a b'], inEnv, '--merchant-account: must be an id'],
  ])('refuses %s with a sentence', async (_why, args, settings, sentence) => {
    const ended = await setup(args, settings());

    expect(ended.code).toBe(sentence === 'cannot be reached' ? 1 : 2);
    expect(ended.stderr).toContain(sentence);
    expect(ended.stderr).not.toContain('    at ');
  });
});

describe('a database', () => {
  it('of a sandbox is refused in production, and a database of production in a sandbox', async () => {
    const [one, two] = [await createTestDatabase(), await createTestDatabase()];
    const start = (settings: Settings) =>
      paygraph(['start'], { PORT: '0', PAYGRAPH_DATA_DIR: folder, LOG_LEVEL: 'error', ...settings }, folder);
    const sandbox = start({ DATABASE_URL: one.url });
    await sandbox.printed('Ctrl-C stops');
    await sandbox.end('SIGTERM');
    const production = start({ ...SETTINGS, DATABASE_URL: two.url });
    await production.printed('No API key exists yet, so the API answers nobody.');
    await production.end('SIGTERM');

    const [first, second, third] = await Promise.all([
      start({ ...SETTINGS, DATABASE_URL: one.url }).ended,
      start({ DATABASE_URL: two.url }).ended,
      setup([], { ...SETTINGS, DATABASE_URL: one.url }),
    ]);

    for (const refused of [first, third])
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('belongs to a sandbox') });
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('belongs to production') });
    await Promise.all([one.drop(), two.drop()]);
  });

  it('is not made when the port is taken, and unknown settings are named', async () => {
    const { createServer } = await import('node:net');
    const occupier = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => occupier.once('listening', resolve));
    const { port } = occupier.address() as { port: number };

    const ended = await paygraph(
      ['start'],
      { PORT: String(port), PAYGRAPH_DATA_DIR: folder, PAYGRAPH_PUBLIC_ULR: 'x', PAYGRAPH_QQQ: '1' },
      folder,
    ).ended;

    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another program listens on port'),
    });
    expect(ended.stderr).toContain(
      'PAYGRAPH_PUBLIC_ULR is no setting and has no effect. Did you mean PAYGRAPH_PUBLIC_URL?',
    );
    expect(ended.stderr).toContain(
      'PAYGRAPH_QQQ is no setting and has no effect. .env.example lists the settings.',
    );
    await expect(stat(join(folder, 'postgres'))).rejects.toThrow('ENOENT');
    occupier.close();
  });
});

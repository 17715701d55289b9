import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run, type Ended, type Running } from '../support/command.ts';
import { INSTALL_MS } from '../support/install-apart.ts';
import { pack } from '../support/pack.ts';

const execute = promisify(execFile);

/** The folder of a person who has installed the packed package, and the project of a connector in it. */
let shop: string;
let project: string;
let scratch: string;
const running: Running[] = [];

/** The author follows this guide. */
const guide = await readFile('src/docs/guides/write-a-connector.md', 'utf8');
const [connect = '', pay = ''] = Array.from(
  guide.matchAll(/^```graphql\n(.*?)^```/gms),
  ([, code = '']) => code,
);
const [mistake = ''] = Array.from(guide.matchAll(/^```ts\n(.*?)^```/gms), ([, code = '']) => code);

const install = (folder: string, ...words: readonly string[]) =>
  execute('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...words], { cwd: folder });

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'paygraph-outside-'));
  shop = join(scratch, 'shop');
  project = join(shop, 'paygraph-acme');
  await mkdir(shop);
  const file = await pack(join(scratch, 'source'));
  await install(shop, file);
  await paygraph(['connector', 'new', 'acme']).ended;
  await install(project, '--save-dev', file);
}, INSTALL_MS);
afterAll(async () => {
  for (const each of running) await each.end('SIGTERM');
  // Another user owns the embedded database when root runs the tests.
  await rm(scratch, { recursive: true, force: true });
});

/** Runs the installed program in the shop, as a shell finds it. */
function paygraph(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Running {
  const started = run(join(shop, 'node_modules/.bin/paygraph'), args, settings, shop);
  running.push(started);
  return started;
}

/** Runs a script of the project. */
const script = (name: string): Promise<Ended> => run('npm', ['run', '--silent', name], {}, project).ended;

describe('a connector outside of this repository', () => {
  it(
    'passes its contracts as it was written',
    async () => {
      const { code, stdout } = await script('test');

      expect(stdout).toMatch(/\btests [12]\d\d\n/);
      expect(stdout).toMatch(/\bfail 0\n/);
      expect(code).toBe(0);
    },
    INSTALL_MS,
  );

  it(
    'fails a contract after the mistake of the guide',
    async () => {
      const path = join(project, 'src/errors.ts');
      const right = await readFile(path, 'utf8');
      const line = `  if (status >= 500) return { kind: 'unknown', cause: 'server_error' };\n`;
      expect(right).toContain(line);
      await writeFile(path, right.replace(line, mistake));

      const { code, stdout } = await script('test');
      await writeFile(path, right);

      expect(stdout).toContain('✖ reads error_after_work as an unknown outcome, which a repeat finds');
      expect(guide).toContain('"reads error_after_work as an unknown outcome, which a repeat finds"');
      expect(code).toBe(1);
    },
    INSTALL_MS,
  );

  it(
    'compiles in the strict mode, against types that reach no other package',
    async () => {
      expect(await script('build')).toEqual({ code: 0, stdout: '', stderr: '' });
      for (const file of ['connectors/door.d.ts', 'test/connectors/testing.d.ts'])
        expect(await packagesReached(join(shop, 'node_modules/paygraph/build', file))).toEqual([]);
    },
    INSTALL_MS,
  );

  it(
    'pays in a service that has installed its package',
    async () => {
      const packed = await execute('npm', ['pack', '--silent'], { cwd: project });
      await install(shop, join(project, packed.stdout.trim()));
      const double = run(process.execPath, ['test/serve.ts'], {}, project);
      running.push(double);
      const [url = ''] = /http:\S+\d/.exec(await double.printed('webhook_secret')) ?? [];
      const started = paygraph([], { PORT: '0', PAYGRAPH_CONNECTORS: 'paygraph-acme', ACME_URL: url });
      const [, address = ''] = /GraphQL +(\S+)/.exec(await started.printed('Ctrl-C stops')) ?? [];
      const ask = async (document: string, variables: object): Promise<unknown> => {
        await writeFile(join(shop, 'document.graphql'), document);
        const words = [
          'query',
          'document.graphql',
          '--url',
          address,
          '--variables',
          JSON.stringify(variables),
        ];
        return JSON.parse((await paygraph(words).ended).stdout);
      };

      const connected = (await ask(connect, {})) as {
        readonly createPaymentService: { readonly paymentService: { readonly id: string } | null };
      };
      expect(connected).toMatchObject({
        createPaymentService: {
          paymentService: { definition: { package: { name: 'paygraph-acme', version: '0.1.0' } } },
          userErrors: [],
        },
      });
      const { id } = connected.createPaymentService.paymentService ?? {};
      expect(await ask(pay, { paymentServiceId: id })).toMatchObject({
        createTransaction: {
          transaction: {
            status: 'CAPTURE_SUCCEEDED',
            paymentServiceTransactionId: expect.stringMatching(/^pay_/),
          },
          userErrors: [],
        },
      });
    },
    INSTALL_MS,
  );

  it('is not started if its package is not installed', async () => {
    const { code, stderr } = await paygraph([], { PORT: '0', PAYGRAPH_CONNECTORS: '@acme/absent' }).ended;

    expect(code).toBe(1);
    expect(stderr).toContain('PAYGRAPH_CONNECTORS names @acme/absent, which cannot be loaded');
  });

  it('is not written into a folder that exists', async () => {
    expect(await paygraph(['connector', 'new', 'acme']).ended).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'The folder paygraph-acme exists already. Choose another name, or remove the folder.\n',
    });
  });

  it.each(['Acme', '../acme', 'acme_pay', 'acme-', '1acme'])(
    'is not written under the name %s',
    async (name) => {
      expect((await paygraph(['connector', 'new', name]).ended).code).toBe(2);
    },
  );
});

/** Lists the packages that a declaration reaches by its imports, without those of Node. */
async function packagesReached(entry: string): Promise<readonly string[]> {
  const reached = new Set([entry]);
  const packages: string[] = [];
  for (const path of reached) {
    const text = await readFile(path, 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:\bfrom |\bimport\()['"]([^'"]+)/g))
      if (name.startsWith('.')) reached.add(join(path, '..', name.replace(/\.(ts|js)$/, '.d.ts')));
      else if (!name.startsWith('node:')) packages.push(name);
  }
  expect(reached.size).toBeGreaterThan(20);
  return packages;
}

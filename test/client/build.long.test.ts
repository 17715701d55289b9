import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startClientHarness, type ClientHarness } from './harness.ts';

const run = promisify(execFile);

/** A plain project beside the repository, with the packed client in its node_modules. */
let project: string;
let harness: ClientHarness;
beforeAll(async () => {
  [project, harness] = await Promise.all([packAndInstall(), startClientHarness()]);
});
afterAll(async () => {
  await harness.stop();
  await rm(project, { recursive: true });
});

async function packAndInstall(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paygraph-client-'));
  const [source, modules] = [join(folder, 'source'), join(folder, 'node_modules')];
  await run('tsc', ['-p', '.config/build.json', '--outDir', join(source, 'build')]);
  for (const file of ['package.json', 'README.md', 'LICENSE']) await cp(file, join(source, file));
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: source });
  await mkdir(join(modules, '@types'), { recursive: true });
  await run('tar', ['-xzf', join(source, stdout.trim()), '-C', folder]);
  await cp(join(folder, 'package'), join(modules, 'paygraph'), { recursive: true });
  for (const each of ['graphql-ws', 'graphql', '@types/node', 'undici-types']) {
    await symlink(resolve('node_modules', each), join(modules, each));
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

it('packs the client beside the files that npm always packs', async () => {
  const packed = await readdir(join(project, 'package'), { recursive: true });

  expect(packed.filter((file) => !file.startsWith('build/client/')).toSorted()).toEqual(
    ['LICENSE', 'README.md', 'build', 'build/client', 'package.json'].toSorted(),
  );
  expect(packed).toEqual(expect.arrayContaining(['build/client/index.js', 'build/client/index.d.ts']));
});

it('runs in plain JavaScript with the WebSocket of Node', async () => {
  await harness.record(3);
  await writeFile(
    join(project, 'consumer.js'),
    `import { PaygraphError, subscribeToEvents, verifyWebhook } from 'paygraph/client';
    const [url, token] = process.argv.slice(2);
    for await (const event of subscribeToEvents({ url, token: () => token, after: 'BEGIN' })) {
      console.log(event.sequence, event.name);
      if (event.sequence === 3) break;
    }
    try {
      verifyWebhook({ headers: {}, body: '', secrets: ['whsec_AAAA'] });
    } catch (error) {
      console.log(error instanceof PaygraphError, error.code);
    }`,
  );

  const url = `${harness.server.url}/graphql`;
  const { stdout } = await run('node', ['consumer.js', url, harness.server.token], { cwd: project });

  expect(stdout).toBe('1 test.1\n2 test.2\n3 test.3\ntrue WEBHOOK_HEADERS\n');
});

it('calls the API in plain JavaScript', async () => {
  await writeFile(
    join(project, 'caller.js'),
    `import { createClient, RefusedError } from 'paygraph/client';
    const [url, token] = process.argv.slice(2);
    const paygraph = createClient({ url, token: () => token });
    const { createBuyer } = await paygraph.mutate({
      createBuyer: [{ input: { displayName: 'Ada' } }, { buyer: { displayName: true }, replayed: true }],
    });
    console.log(JSON.stringify(createBuyer));
    await paygraph.mutate({ deleteBuyer: [{ id: '00000000-0000-7000-8000-000000000000' }, {}] }).catch((error) => {
      console.log(error instanceof RefusedError, error.code);
    });`,
  );

  const url = `${harness.server.url}/graphql`;
  const { stdout } = await run('node', ['caller.js', url, harness.server.token], { cwd: project });

  expect(stdout).toBe('{"buyer":{"displayName":"Ada"},"replayed":false}\ntrue NOT_FOUND\n');
});

it('has types that strict TypeScript understands', async () => {
  await writeFile(
    join(project, 'consumer.ts'),
    `import { createClient, subscribeToEvents, verifyWebhook } from 'paygraph/client';
    import type { FeedEvent, PaygraphEvent, schema, WebhookEvent } from 'paygraph/client';
    const options = { url: 'https://pay.example/graphql', token: () => 'token' };
    export async function* names(): AsyncGenerator<string> {
      for await (const event of subscribeToEvents<{ transaction: { status: string } | null }>(options)) {
        yield event.name + (event.transaction?.status ?? '');
      }
    }
    export const running: Promise<void> = subscribeToEvents({ ...options, onEvent: (event: FeedEvent) => void event.cursor });
    export const event: WebhookEvent = verifyWebhook({ headers: new Headers(), body: '', secrets: [] });
    // @ts-expect-error -- a sequence is a number
    export const wrong: string = event.sequence;
    const paygraph = createClient(options);
    export const status: schema.TransactionStatus | undefined = await paygraph
      .query({ transaction: [{ id: 'x' }, { status: true }] })
      .then(({ transaction }) => transaction?.status);
    // @ts-expect-error -- there is no such field
    await paygraph.query({ transaction: [{ id: 'x' }, { colour: true }] });
    export function amountOf(event: PaygraphEvent): number | null {
      if (event.name === 'refund.succeeded') return event.target.amount;
      // @ts-expect-error -- a buyer has no amount
      if (event.name === 'buyer.created') return event.target.amount;
      return null;
    }`,
  );

  expect(await faultsOf('consumer.ts')).toBe('');
});

it.each(['webhooks', 'live-events'])('has types that the examples of the guide %s fit', async (guide) => {
  const page = await readFile(`src/docs/guides/${guide}.md`, 'utf8');
  const examples = [...page.matchAll(/^```ts\n(.*?)^```/gms)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes("'paygraph/client'"));
  const files = await Promise.all(
    examples.map(async (code, index) => {
      const [imports = '', ...body] = code.split('\n\n');
      const file = `${guide}-${index}.ts`;
      const text = `${imports}\nexport async function example(): Promise<void> {\n${body.join('\n\n')}\n}\n`;
      await writeFile(join(project, file), text);
      return file;
    }),
  );
  await writeFile(join(project, 'surroundings.d.ts'), SURROUNDINGS);

  expect(files.length).toBeGreaterThan(0);
  expect(await faultsOf('surroundings.d.ts', ...files)).toBe('');
});

/** The names that the examples leave to the reader. */
const SURROUNDINGS = `import type { FeedEvent, WebhookRequest } from 'paygraph/client';
declare global {
  const headers: WebhookRequest['headers'];
  const rawBody: Uint8Array;
  const secrets: readonly string[];
  function ship(order: string | null): Promise<void>;
  const events: AsyncIterable<FeedEvent>;
  function book(amount: number | null): Promise<void>;
  function mintToken(): Promise<string>;
  function loadCursor(): Promise<string | null>;
  function storeCursor(cursor: string): Promise<void>;
  function handle(event: FeedEvent): Promise<void>;
  const stopping: AbortSignal;
}`;

/** Checks files of the project in the strict mode. Returns the output of the compiler. */
async function faultsOf(...files: readonly string[]): Promise<string> {
  const flags = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024'];
  const libraries = ['--lib', 'es2024', '--types', 'node'];
  const { stdout } = await run(resolve('node_modules/.bin/tsc'), [...flags, ...libraries, ...files], {
    cwd: project,
  }).catch((error: unknown) => error as { readonly stdout: string });
  return stdout;
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const run = promisify(execFile);

it('the commands of the guide work, one after another', async () => {
  const guide = await readFile('src/docs/guides/rest.md', 'utf8');
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const script = blocks
    .join('\n')
    .replace('$(npm run --silent token)', server.token)
    .replace('http://127.0.0.1:4000', server.url)
    .replace('curl -sS', 'curl --fail-with-body -sS -w "\\n"');

  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script]);

  const answers = stdout.trim().split('\n');
  expect(blocks.length).toBeGreaterThan(3);
  const shown = answers.map((answer) => JSON.parse(answer) as Readonly<Record<string, unknown>>);
  expect(shown.map(({ type, items }) => type ?? (items as readonly unknown[]).length)).toEqual([
    'payment-service',
    'capture',
    'refund',
    'transaction',
    1,
    'payment-link',
  ]);
  expect(shown[3]).toMatchObject({ captured_amount: 1000, refunded_amount: 400 });
});

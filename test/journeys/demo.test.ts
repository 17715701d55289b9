import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDemoClient } from '../../src/cli/demo/client.ts';
import { tellStory } from '../../src/cli/demo/story.ts';
import { startService, type Service } from '../../src/main.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let folder: string;
let service: Service;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'paygraph-demo-'));
  service = await startService(
    parseConfig({ PORT: '0', DATABASE_URL: database.url, PAYGRAPH_DATA_DIR: folder, LOG_LEVEL: 'silent' }),
  );
});
afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

it('shows one payment from end to end', async () => {
  const lines: string[] = [];
  const token = (await service.sandbox?.token()) ?? '';

  await tellStory(createDemoClient(`${service.url}/graphql`, token), (line) => lines.push(line));

  const notified = lines.join('\n');
  const live = [...notified.matchAll(/live +#(\d+) (\S+)/g)].map(
    ([, sequence, name]) => `${sequence ?? ''} ${name ?? ''}`,
  );
  const webhooks = [...notified.matchAll(/webhook +#(\d+) (\S+) +signature verified/g)].map(
    ([, sequence, name]) => `${sequence ?? ''} ${name ?? ''}`,
  );
  expect(live).toEqual([
    '1 transaction.authorized',
    '2 capture.succeeded',
    '3 transaction.captured',
    '4 refund.succeeded',
  ]);
  expect(webhooks.sort()).toEqual(live);
  expect(notified).toContain('answered from the record (replayed: true); the provider was not called');
  expect(notified).toContain('refused: IDEMPOTENCY_KEY_REUSED');
  expect(notified).toContain('the provider was called 3 times: authorize 1299, capture 1000, refund 400');
  expect(notified).toContain('"authorizedAmount":1299,"capturedAmount":1000,"refundedAmount":400');

  const quickstart = await readFile('src/docs/quickstart.md', 'utf8');
  const [, shown = ''] =
    /<!-- demo -->\n\n```text\n([\s\S]*?)\n```\n\n<!-- \/demo -->/.exec(quickstart) ?? [];
  expect(comparable(shown)).toEqual(comparable(notified));
});

/**
 * Returns the lines of the demo without ids, ports and colours. Live events and webhooks of one step may arrive in
 * any order.
 */
const comparable = (text: string): string[] =>
  text
    .replace(/\u001B\[\d+m/g, '')
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>')
    .replace(/(127\.0\.0\.1|localhost):\d+/g, '<address>')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^(One payment|Done\.)/.test(line))
    .toSorted();

import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeConnector } from './new-connector.ts';
import { outcomeOfError } from './skeleton/connector/errors.ts';

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'paygraph-connector-'));
  for (const part of ['src/connectors', 'test/connectors'])
    await cp(part, join(copy, part), { recursive: true });
});
afterAll(() => rm(copy, { recursive: true }));

describe('a new connector', () => {
  let paths: readonly string[];
  beforeAll(async () => {
    paths = await writeConnector('acme-pay', copy);
  });

  it('has files in two folders, under its own name', async () => {
    expect(paths.toSorted()).toEqual([
      ...['amount', 'definitions', 'errors', 'exchange', 'index', 'unwritten', 'webhook', 'wire'].map(
        (file) => `src/connectors/acme-pay/${file}.ts`,
      ),
      'test/connectors/acme-pay/contract.test.ts',
      'test/connectors/acme-pay/double.ts',
    ]);
    const texts = await Promise.all(paths.map((path) => readFile(join(copy, path), 'utf8')));
    expect(texts.filter((text) => /skeleton/i.test(text))).toEqual([]);
    expect(texts.join('\n')).toContain('export const acmePay: Connector = createAcmePay(');
    expect(texts.join('\n')).toContain("id: 'acme-pay-card'");
  });

  it('is not written twice, and changes nothing then', async () => {
    const before = await readFile(join(copy, 'src/connectors/acme-pay/index.ts'), 'utf8');

    await expect(writeConnector('acme-pay', copy)).rejects.toThrow('src/connectors/acme-pay exists already.');
    expect(await readFile(join(copy, 'src/connectors/acme-pay/index.ts'), 'utf8')).toBe(before);
  });
});

it.each(['', 'Acme', '../acme', 'acme_pay', 'acme-', '1acme', 'sandbox'])(
  'refuses the name %j',
  async (name) => {
    await expect(writeConnector(name, copy)).rejects.toThrow(
      /^(Name the connector|src\/connectors\/sandbox exists)/,
    );
  },
);

it.each([
  [401, 'invalid_service_credentials'],
  [403, 'insufficient_service_permissions'],
  [429, 'service_rate_limit'],
])('takes the status %s for no outcome of a repeat: %s', (status, refusedAs) => {
  expect(outcomeOfError(status, null)).toEqual({
    ...{ kind: 'unknown', cause: 'server_error', sent: false, refusedAs },
  });
});

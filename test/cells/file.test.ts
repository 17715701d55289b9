import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  readHeader,
  readRows,
  writeAccountFile,
  type Header,
  type Rows,
} from '../../src/platform/moves/file.ts';
import { openFolder } from './moving.ts';

let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  folder = await openFolder();
});
afterAll(() => folder.close());

const HEADER: Header = {
  format: 'paygraph account 1',
  move: '0190a3c2-7d6b-7c11-8a6e-0f5f0a8a1b2c',
  account: 'shop',
  cell: 'b',
  kind: 'sandbox',
  schema: { digest: 'digest', last: 'last' },
  publicKey: 'key',
  exportedAt: '2026-01-01T00:00:00.000Z',
  tables: [],
};

async function* linesOf(...rows: readonly Rows[]): AsyncGenerator<Rows> {
  for (const row of rows) yield await Promise.resolve(row);
}

async function readAll(path: string): Promise<readonly Rows[]> {
  const rows: Rows[] = [];
  for await (const row of readRows(path)) rows.push(row);
  return rows;
}

it('keeps every character of a text, and rows of many chunks', async () => {
  const path = folder.at('texts');
  const rows = [
    { table: 'buyer', json: '[{"name":"one\u2028two\u2029three\rfour\u0085five"}]' },
    { table: 'event', json: `["${'ü'.repeat(200_000)}"]` },
  ];

  await writeAccountFile(path, HEADER, linesOf(...rows));

  expect(await readHeader(path)).toEqual(HEADER);
  expect(await readAll(path)).toEqual(rows);
});

it('is readable by its owner alone, although a draft of another mode or a link is in its way', async () => {
  const [path, linked, other] = [folder.at('mode'), folder.at('linked'), folder.at('other')];
  await writeFile(`${path}.part`, 'old');
  await chmod(`${path}.part`, 0o644);
  await writeFile(other, 'untouched');
  await symlink(other, `${linked}.part`);

  await writeAccountFile(path, HEADER, linesOf());
  await writeAccountFile(linked, HEADER, linesOf());

  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(other, 'utf8')).toBe('untouched');
  expect(await readHeader(linked)).toEqual(HEADER);
});

it('leaves no draft when the rows cannot be read', async () => {
  const path = folder.at('failed');
  async function* failing(): AsyncGenerator<Rows> {
    yield { table: 'event', json: '[]' };
    await Promise.reject(new Error('The database is gone.'));
  }

  await expect(writeAccountFile(path, HEADER, failing())).rejects.toThrow('The database is gone.');

  expect((await readdir(folder.at('.'))).filter((name) => name.startsWith('failed'))).toEqual([]);
});

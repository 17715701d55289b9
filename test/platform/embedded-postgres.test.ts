import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEmbedded } from '../../src/platform/postgres/embedded.ts';
import { silentProgress } from '../../src/platform/process/progress.ts';
import { query } from '../support/database.ts';

// All tests share one folder and run in order, because the creation of a database takes a second.
let home: string;
const open = () => openEmbedded(home, silentProgress);
const pidFile = () => join(home, 'postgres', 'postmaster.pid');
const postmaster = async () => Number((await readFile(pidFile(), 'utf8')).split('\n')[0]);
const noted = async (url: string) =>
  (await query<{ text: string }>(url, 'SELECT text FROM note')).map(({ text }) => text);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'paygraph-embedded-'));
});
afterAll(async () => {
  // Closes a server that a failed test left running.
  await (await open()).close();
  await rm(home, { recursive: true });
});

describe('the embedded Postgres', () => {
  it('is created for this machine and its own user only, in UTF-8', async () => {
    const postgres = await open();
    await query(postgres.url, 'CREATE TABLE note (text text)');
    await query(postgres.url, 'INSERT INTO note VALUES ($1)', ['Grüße, 世界']);

    const settings = await query(
      postgres.url,
      `SELECT current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets,
         pg_encoding_to_char(encoding) AS encoding, datlocprovider AS provider, datlocale AS locale
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(settings).toEqual([
      { addresses: '127.0.0.1', sockets: '', encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8' },
    ]);
    expect((await stat(join(home, 'postgres'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(home, 'postgres', 'paygraph.password'))).mode & 0o777).toBe(0o600);
    const guess = new URL(postgres.url);
    guess.password = 'paygraph';
    await expect(query(guess.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    await postgres.close();
  });

  it('ends when it is closed, and has its data when it is opened again', async () => {
    await expect(postmaster()).rejects.toThrow('ENOENT');
    const postgres = await open();
    expect(await noted(postgres.url)).toEqual(['Grüße, 世界']);
    await postgres.close();
    await expect(postmaster()).rejects.toThrow('ENOENT');
  });
});

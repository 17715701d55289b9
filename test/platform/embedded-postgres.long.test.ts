import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEmbedded } from '../../src/platform/postgres/embedded.ts';
import { withFolderLock } from '../../src/platform/postgres/folder-lock.ts';
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
  const postgres = await open();
  await query(postgres.url, 'CREATE TABLE note (text text)');
  await query(postgres.url, 'INSERT INTO note VALUES ($1)', ['Grüße, 世界']);
  await postgres.close();
});
afterAll(async () => {
  // Closes a server that a failed test left running.
  await (await open()).close();
  await rm(home, { recursive: true });
});

describe('the embedded Postgres', () => {
  it('is shared by all that open it at once, and ends with the last of them', async () => {
    const [first, second, third] = await Promise.all([open(), open(), open()]);
    expect(new Set([first.url, second.url, third.url]).size).toBe(1);
    await Promise.all([first.close(), third.close()]);
    expect(await noted(second.url)).toHaveLength(1);
    await second.close();
    await expect(postmaster()).rejects.toThrow('ENOENT');
  });

  it.each([
    ['whose process is gone', () => 4_194_303],
    ['whose number another program has by now', () => process.pid],
  ])('starts despite a postmaster.pid %s', async (_, pid) => {
    await writeFile(
      pidFile(),
      `${pid()}\n${join(home, 'postgres')}\n1700000000\n5432\n\n127.0.0.1\n\nready   \n`,
    );
    const postgres = await open();
    expect(await noted(postgres.url)).toHaveLength(1);
    await postgres.close();
  });

  it('is taken over, running, from a killed process', async () => {
    const { stdout } = await killed(`
      import { openEmbedded } from './src/platform/postgres/embedded.ts';
      const { url } = await openEmbedded(${JSON.stringify(home)}, (_, work) => work());
      console.log(url);
      process.kill(process.pid, 'SIGKILL');`);
    const left = await postmaster();

    const postgres = await open();
    expect(postgres.url).toBe(stdout.trim());
    expect(await postmaster()).toBe(left);
    expect(await noted(postgres.url)).toHaveLength(1);

    await postgres.close();
    await expect(postmaster()).rejects.toThrow('ENOENT');
  });

  it('starts again after it was killed itself, with all committed data', async () => {
    const postgres = await open();
    await query(postgres.url, 'INSERT INTO note VALUES ($1)', ['second']);
    process.kill(await postmaster(), 'SIGKILL');

    const again = await open();
    expect(await noted(again.url)).toEqual(['Grüße, 世界', 'second']);
    await Promise.all([again.close(), postgres.close()]);
  });

  it('refuses a folder of another version of Postgres', async () => {
    const file = join(home, 'postgres', 'PG_VERSION');
    const version = await readFile(file, 'utf8');
    await writeFile(file, '17\n');
    await expect(open()).rejects.toThrow(
      `The database at ${join(home, 'postgres')} was made by Postgres 17, and this is Postgres 18. ` +
        'Serve it with the Paygraph that made it, or set PAYGRAPH_DATA_DIR to another folder.',
    );
    await writeFile(file, version);
  });
});

describe('the lock of a folder', () => {
  it('admits one at a time, and is free as soon as its holder is killed', async () => {
    const file = join(home, 'lock');
    const order: string[] = [];
    const hold = (name: string) =>
      withFolderLock(file, async () => {
        order.push(`${name} in`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push(`${name} out`);
      });
    await Promise.all([hold('a'), hold('b')]);
    expect(order.join()).toMatch(/^(a in,a out,b in,b out|b in,b out,a in,a out)$/);

    await killed(`
      import { withFolderLock } from './src/platform/postgres/folder-lock.ts';
      await withFolderLock(${JSON.stringify(file)}, async () => process.kill(process.pid, 'SIGKILL'));`);
    await hold('c');
    expect(order.slice(-2)).toEqual(['c in', 'c out']);
  });
});

/** Runs a script that kills itself. */
async function killed(script: string): Promise<{ readonly stdout: string }> {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script]);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal !== 'SIGKILL') throw new Error(stderr);
  return { stdout };
}

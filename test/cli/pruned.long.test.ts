import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { run, type Running } from '../support/command.ts';
import { INSTALL_MS } from '../support/install-apart.ts';

const execute = promisify(execFile);

/** A clone after the two commands of an installation for production. */
let clone: string;
let started: Running;
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'paygraph-pruned-'));
  const { stdout } = await execute('git', ['ls-files'], { maxBuffer: 1e8 });
  const files = stdout.split('\n').filter((path) => path !== '' && !path.startsWith('test/'));
  // The end of `npm ci` has made these.
  for (const path of [...files, 'src/platform/generated', 'build/dashboard'])
    await cp(path, join(clone, path), { recursive: true });
  // Links instead of copies, because the packages have more than a gigabyte.
  await execute('cp', ['-al', 'node_modules', join(clone, 'node_modules')]);
  await execute('npm', ['prune', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: clone,
  });
}, INSTALL_MS);
afterAll(async () => {
  await started.end('SIGTERM');
  await rm(clone, { recursive: true, force: true });
});

it('A clone without the packages for development starts with its client and its dashboard', async () => {
  started = run('npm', ['start'], { PORT: '0' }, clone);
  const screen = await started.printed('Ctrl-C stops');
  const url = /GraphQL +(\S+)\/graphql/.exec(screen)?.[1] ?? '';
  const statusOf = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;

  expect(await Promise.all(['/ready', '/dashboard/', '/docs'].map(statusOf))).toEqual([200, 200, 200]);
  expect(existsSync(join(clone, 'node_modules/prisma-cli'))).toBe(false);
});

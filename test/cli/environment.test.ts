import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { paygraph } from '../support/command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paygraph-env-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('names the variables of Node.js that come too late from the file .env', async () => {
  await writeFile(
    join(folder, '.env'),
    'NODE_EXTRA_CA_CERTS=/etc/ca.pem\nNODE_OPTIONS=--no-warnings\nNODE_ENV=production\n',
  );

  const { code, stderr } = await paygraph(['start'], { PORT: 'none', NODE_OPTIONS: '--no-warnings' }, folder)
    .ended;

  expect(code).toBe(2);
  expect(stderr.match(/^NODE_.*$/gm)).toEqual([
    'NODE_EXTRA_CA_CERTS in .env has no effect, because Node.js reads it before the file. Set it in the environment of the process.',
  ]);
});

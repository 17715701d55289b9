import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { run } from '../support/command.ts';

const execute = promisify(execFile);
const PROGRAM = resolve('.config/check-subjects.mjs');

let clone: string;
const git = (...words: readonly string[]) =>
  execute('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], { cwd: clone });
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'paygraph-subjects-'));
  await git('init', '--quiet');
});
afterAll(() => rm(clone, { recursive: true }));

it.each([
  ['transactions: refuse a second void', true],
  ['payment links: refuse a second visit', true],
  ['Refuse a second void', false],
  [`transactions: ${'x'.repeat(59)}`, false],
])('"%s" is a subject of a commit: %p', async (subject, isTaken) => {
  await git('commit', '--quiet', '--allow-empty', '--message', subject);

  const { code, stderr } = await run(process.execPath, [PROGRAM], {}, clone).ended;

  expect(code).toBe(isTaken ? 0 : 1);
  expect(stderr.split('\n')[0]).toBe(isTaken ? '' : subject);
});

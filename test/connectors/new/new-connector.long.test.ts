import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeConnector } from './new-connector.ts';

const run = promisify(execFile);

/** A copy of the parts of the repository that a connector and its tests need. */
let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'paygraph-connector-'));
  for (const part of ['src/connectors', 'src/kernel', 'src/platform', 'test/connectors', 'test/support'])
    await cp(part, join(copy, part), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json', '.config'])
    await cp(file, join(copy, file), { recursive: true });
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
  await writeFile(join(copy, 'tsconfig.new.json'), TSCONFIG);
  await writeFile(join(copy, 'jest.new.mjs'), JEST);
});
afterAll(() => rm(copy, { recursive: true }));

const TSCONFIG = JSON.stringify({
  extends: './tsconfig.json',
  include: ['src/connectors/acme-pay', 'test/connectors/acme-pay'],
});

/** Runs the tests of one folder without a database. */
const JEST = `
import quick from './.config/jest.mjs';
const { globalSetup, globalTeardown, reporters, ...rest } = quick;
export default { ...rest, rootDir: '.', runner: './.config/jest-runner.mjs', testSequencer: './.config/jest-sequencer.mjs', setupFilesAfterEnv: ['./.config/jest-native.mjs'] };
`;

describe('a new connector', () => {
  beforeAll(async () => {
    await writeConnector('acme-pay', copy);
  });

  it('compiles', async () => {
    await run('tsc', ['-p', 'tsconfig.new.json'], { cwd: copy });
  }, 180_000);

  it('is red, and says in sentences what is left to write', async () => {
    const ended = await run('jest', ['--config', 'jest.new.mjs', 'test/connectors/acme-pay'], {
      cwd: copy,
    }).catch((error: unknown) => error as { readonly stdout: string; readonly stderr: string });
    const output = ended.stdout + ended.stderr;

    expect(output).not.toContain('failed to run');
    expect(output).toMatch(/Tests: +\d+ failed/);
    for (const sentence of [
      'Write webhooks in double.ts: a signed webhook for each decision since the last call.',
      "Write perform in double.ts: the provider's checks, its books and its answers.",
      "Write paymentToWire in wire.ts: the path and the fields of the provider's payment.",
      'Write cancelToWire in wire.ts: the path and the fields that end a payment by the key of its authorisation.',
      "Write isSigned in webhook.ts: the check of the provider's signature.",
      'Write moneyFor in contract.test.ts: the amount of each other decision, or null.',
      'Write body in contract.test.ts: an event about a capture, with these words.',
    ])
      expect(output).toContain(sentence);
  }, 180_000);
});

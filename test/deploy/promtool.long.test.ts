import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { run } from '../support/command.ts';
import { expressions, RULE_TESTS, RULES } from './observe.ts';

const isInstalled = spawnSync('promtool', ['--version']).status === 0;
const withTool = isInstalled ? describe : describe.skip;

const promtool = (...args: readonly string[]) => run('promtool', args, {}).ended;

withTool('the rules of Prometheus (skipped without promtool, which is in the package prometheus)', () => {
  it('are valid', async () => {
    expect(await promtool('check', 'rules', RULES)).toMatchObject({ code: 0, stderr: '' });
  });

  it('fire in their cases, and not for a healthy service', async () => {
    expect(await promtool('test', 'rules', RULE_TESTS)).toMatchObject({ code: 0 });
  });

  it('parse like every expression of the board', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paygraph-rules-'));
    const file = join(folder, 'board.yaml');
    const rules = expressions().map((expr, index) => ({ record: `board:expression:${index}`, expr }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'board', rules }] }));
    const checked = await promtool('check', 'rules', file);
    rmSync(folder, { recursive: true });

    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toContain(`${rules.length} rules found`);
  });
});

import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { FORMER_RELEASE } from '../../src/platform/migrate/releases.ts';
import { VERSION } from '../../src/platform/process/version.ts';

it('the former release is the one before this version in the changelog', async () => {
  const changelog = await readFile('src/docs/changelog.md', 'utf8');
  const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
  expect(versions[0]).toBe(VERSION);
  expect(FORMER_RELEASE).toBe(versions[1] ?? VERSION);
});

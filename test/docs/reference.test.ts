import { readFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { sandboxDefinitions } from '../../src/connectors/sandbox/definitions.ts';
import { mockAntiFraud } from '../../src/connectors/sandbox/anti-fraud/definition.ts';
import { createProgram } from '../../src/cli/program.ts';
import { settingNames } from '../../src/platform/process/config.ts';
import { COMMANDS, helpOf } from './reference/commands.ts';
import { GRAPHQL_CODES } from './reference/error-codes.ts';
import { readSettings } from './reference/settings.ts';
import { WRITTEN_PAGES, writtenPage } from './written-pages.ts';

describe('the reference', () => {
  it.each(Object.keys(WRITTEN_PAGES))('%s is what `npm run docs` writes', async (path) => {
    expect(await readFile(path, 'utf8')).toBe(await writtenPage(path));
  });

  it('describes every setting', () => {
    const settings = readSettings();

    expect(settings.map(({ name }) => name).toSorted()).toEqual(['NODE_ENV', ...settingNames].toSorted());
    expect(settings.filter(({ description }) => description === '')).toEqual([]);
  });

  it('has every command of the program', async () => {
    const [list = ''] = /^Commands:$[^]*?^$/m.exec(await helpOf()) ?? [];
    const commands = [...list.matchAll(/^ {2}([a-z][\w:-]*)/gm)].map(([, name]) => name);
    const actions = createProgram({ json: false }).commands.flatMap((command) =>
      command.commands.map((action) => `${command.name()} ${action.name()}`),
    );

    expect(commands.filter((name) => name !== 'help').toSorted()).toEqual(
      COMMANDS.filter((name) => !name.includes(' ')).toSorted(),
    );
    expect(actions.toSorted()).toEqual(COMMANDS.filter((name) => name.includes(' ')).toSorted());
  });

  it('has every code of a GraphQL error that the sources name', () => {
    const named = ['src/graph', 'src/http']
      .flatMap(sourcesBelow)
      .flatMap((text) => [
        ...text.matchAll(/\bcoded\(\s*'([A-Z_]+)'/g),
        ...text.matchAll(/\bcode: '([A-Z_]+)',?\s*(?:\n\s*)?message/g),
        ...text.matchAll(/\brefuse\('([A-Z_]+)'/g),
      ]);

    const codes = new Set(named.map(([, code = '']) => code));
    expect(codes.size).toBeGreaterThan(10);
    expect([...codes].filter((code) => !(code in GRAPHQL_CODES))).toEqual([]);
  });
});

it('README lists the connectors that exist', async () => {
  const readme = await readFile('README.md', 'utf8');
  const listed = [...readme.matchAll(/`(mock[\w-]+)`/g)].map(([, name]) => name);

  expect([...new Set(listed)].toSorted()).toEqual(
    [...sandboxDefinitions.map(({ id }) => id), mockAntiFraud.id].toSorted(),
  );
});

const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('generated'))
    .map((path) => readFileSync(`${folder}/${path}`, 'utf8'));

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const readSources = (ending: string): readonly { readonly path: string; readonly text: string }[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending) && !path.includes('generated'))
    .map((path) => join('src', path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const files = readSources('.sql');

/** Returns the faults of a file with one statement. */
function faultsOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const statement = lines.filter((line) => !line.startsWith('--')).join('\n');
  const parameters = new Set([...statement.matchAll(/(?<![\w@])@([a-z]\w*)/gi)].map(([name]) => name));
  return [
    ...(/^-- [A-Z`]/.test(text) ? [] : ['no comment on top']),
    ...(/\n--/.test(text.replace(/^(--.*\n)+/, '')) ? ['a comment below the top'] : []),
    ...(text.endsWith('\n') && !/;\s*$/.test(text) ? [] : ['another end than a line break']),
    ...lines.filter((line) => line.length > 110).map((line) => `too long: ${line}`),
    ...[...parameters]
      .filter((name) => !new RegExp(`${name}::[a-z]`).test(statement))
      .map((name) => `${name} has no type`),
  ];
}

describe('a statement in a file', () => {
  it('has a comment on top, lines of at most 110 characters, and a type for each parameter', () => {
    expect(files.length).toBeGreaterThan(150);
    expect(files.flatMap(({ path, text }) => faultsOf(text).map((fault) => `${path}: ${fault}`))).toEqual([]);
  });

  it('is sent from one place, in its own folder', () => {
    const sent = readSources('.ts').flatMap(({ path, text }) =>
      [...text.matchAll(/prepareFile(?:<[^(]*>)?\(\s*import\.meta,\s*'([^']+)'/g)].map(([, file = '']) =>
        join(dirname(path), file),
      ),
    );
    expect(sent.toSorted()).toEqual(files.map(({ path }) => path).toSorted());
  });

  it.each([
    ['SELECT 1\n', 'no comment on top'],
    ['-- Reads one.\nSELECT 1\n-- of them\n', 'a comment below the top'],
    ['-- Reads one.\nSELECT 1;\n', 'another end than a line break'],
    [`-- Reads one.\nSELECT '${'x'.repeat(110)}'\n`, 'too long: SELECT'],
    ['-- Reads one.\nSELECT @one + @two::int\n', '@one has no type'],
  ])('is refused: %j', (text, fault) => {
    expect(faultsOf(text)).toHaveLength(1);
    expect(faultsOf(text)[0]).toContain(fault);
  });
});

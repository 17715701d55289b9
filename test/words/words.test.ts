import { describe, expect, it } from '@jest/globals';
import { filesBelow, listBelow } from './files.ts';
import { passagesOf } from './passages.ts';
import { findings } from './rules.ts';

const rulesBroken = (path: string, text: string): string[] =>
  passagesOf(path, text)
    .flatMap(findings)
    .map(({ line, rule }) => `${line} ${rule}`);

const words = (count: number): string => `Word${' word'.repeat(count - 1)}.`;

describe('the words', () => {
  it.each(['.config', '.github', 'README.md', 'codegen.ts', 'prisma', 'schema', 'src', 'test'])(
    'are plain in %s',
    (path) => {
      expect(filesBelow(path).length).toBeGreaterThan(0);
      expect(listBelow(path)).toEqual([]);
    },
  );
});

// Each rule shown red once, so that none of them can pass by never looking.
describe('the rules', () => {
  it.each(['What', 'Whose', 'Whoever', 'Whichever', 'Whether', 'Of', 'That', 'Where', 'Who'])(
    'refuse a sentence that begins with %s',
    (opening) => {
      const text = `/** Returns a row.\n * ${opening} comes next is known. */`;
      expect(rulesBroken('a.ts', text)).toEqual([`2 begins with "${opening}"`]);
    },
  );

  it.each([
    ['a long sentence', 'a.ts', `// ${words(21)}`, '1 21 words'],
    [
      'a long sentence over two lines',
      'a.ts',
      `// Short.\n// ${words(20).slice(0, -1)}\n// end.`,
      '2 21 words',
    ],
    ['a semicolon', 'a.ts', '/** One thought; another. */', '1 holds a semicolon'],
    ['a comment at the end of a line', 'a.ts', 'const a = 1; // One; two.', '1 holds a semicolon'],
    ['a comment within a template', 'a.ts', 'f(`${/* One; two. */ 1}`);', '1 holds a semicolon'],
    ['a description', 'a.graphql', '"""\nWhat it is.\n"""\ntype A { b: Int }', '2 begins with "What"'],
    ['a description of one line', 'a.graphql', 'type A {\n  "One; two."\n  b: Int\n}', '2 holds a semicolon'],
    ['a comment of the schema', 'a.graphql', '# One; two.\ntype A { b: Int }', '1 holds a semicolon'],
    ['a comment of a model', 'a.prisma', 'model A {\n  /// One; two.\n}', '2 holds a semicolon'],
    ['a comment of a statement', 'a.sql', '-- One; two.\nSELECT 1', '1 holds a semicolon'],
    ['a list item', 'a.md', 'A list:\n\n- One; two.\n- Three.', '3 holds a semicolon'],
    ['a free relative in quotes', 'a.md', 'Fine. "What is said" is refused.', '1 begins with "What"'],
  ])('refuse %s', (_, path, text, finding) => {
    expect(rulesBroken(path, text)).toEqual([finding]);
  });

  it.each([
    ['twenty words', 'a.ts', `// ${words(20)} ${words(20)}`],
    ['a code span as one word', 'a.ts', '// Runs `a; b; c d e f g h i j k l m n o p q r s t u v w`.'],
    ['a block of code', 'a.md', 'Run:\n\n```sh\na; b\n```\n\n    c; d\n'],
    ['a table', 'a.md', `| What | a; b |\n| --- | --- |\n| ${words(30)} | c |`],
    ['list items as sentences of their own', 'a.md', `- ${words(15)}\n- ${words(15)}`],
    ['strings', 'a.ts', "const a = 'What; is // this?';"],
    ['lines for tools', 'a.ts', '// oxlint-disable-next-line x -- a; b'],
  ])('allow %s', (_, path, text) => {
    expect(rulesBroken(path, text)).toEqual([]);
  });
});

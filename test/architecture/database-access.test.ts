import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { readPrepared } from '../statements/prepared.ts';

/** The names of Prisma's models, as a client has them. */
const models = globSync('prisma/models/*.prisma')
  .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/^model (\w)(\w+)/gm)])
  .map(([, first = '', rest = '']) => first.toLowerCase() + rest);

const CALL = new RegExp(
  `\\b(?:${models.join('|')})\\s*\\.(?:find\\w+|create\\w*|update\\w*|upsert|delete\\w*|count|aggregate|groupBy)\\(`,
  'g',
);

/** Counts the calls of Prisma's models in the sources. */
const countCalls = (): number =>
  globSync('src/**/*.ts')
    .filter((path) => !path.includes('generated'))
    .reduce((sum, path) => sum + (readFileSync(path, 'utf8').match(CALL)?.length ?? 0), 0);

// A page that names the ways to the database and their share stays true only with the counts beside it.
it('goes through Prisma and through statements as often as the architecture page says', async () => {
  const page = readFileSync('src/docs/architecture.md', 'utf8');
  const [, prisma, statements] = /(\d+) calls of Prisma and (\d+) prepared statements/.exec(page) ?? [];

  expect({ prisma, statements }).toEqual({
    prisma: String(countCalls()),
    statements: String((await readPrepared()).size),
  });
});

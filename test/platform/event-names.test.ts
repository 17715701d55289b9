import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { matchesName } from '../../src/modules/events/feed/names.ts';
import {
  tellAuthentication,
  tellExpressions,
  tellJudgement,
} from '../../src/modules/transactions/engine/events-and-history.sql.ts';
import { EVENT_NAMES } from '../../src/modules/event-log/index.ts';

const KINDS = ['authorize', 'capture', 'refund', 'void', 'cancel'] as const;
const OUTCOMES = ['accepted', 'succeeded', 'declined', 'failed'] as const;

describe('the table of event names', () => {
  it('has exactly the names that settling, authenticating and judging tell', () => {
    const settled = KINDS.flatMap((kind) => OUTCOMES.map((outcome) => tellExpressions(kind, outcome, 'x')));
    const authenticated = [tellAuthentication('begun', 'x'), tellAuthentication('concluded', 'x')];
    const judged = [tellJudgement('decided', 'x'), tellJudgement('reviewed', 'x')];
    const told = [...settled, ...authenticated, ...judged].join();
    const names = [...told.matchAll(/'((?:transaction|capture|refund)\.[a-z-]+)'/g)].map(([, name]) => name);

    const about = ['transaction.*', 'capture.*', 'refund.*'];
    expect([...new Set(names)].sort()).toEqual(EVENT_NAMES.filter((name) => matchesName(about, name)).sort());
  });

  it('has no name whose last word no module writes', async () => {
    const sources = await textOf('src/modules');
    for (const name of EVENT_NAMES) {
      const [group = '', word = ''] = name.split('.');
      expect([name, sources.includes(`${group}.`) && sources.includes(`${word}'`)]).toEqual([name, true]);
    }
  });

  it('has names of one form, each once', () => {
    expect(new Set(EVENT_NAMES).size).toBe(EVENT_NAMES.length);
    for (const name of EVENT_NAMES) expect(name).toMatch(/^[a-z-]+(\.[a-z-]+){1,2}$/);
  });
});

async function textOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFile(join(folder, file), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

import { forter } from '../../../src/connectors/forter/index.ts';
import { connectors } from '../../../src/connectors/index.ts';
import { table, withTables } from '../../docs/reference/table.ts';
import { countHours } from './hours.ts';
import { countLines } from './lines.ts';
import { SUITES, type Count, type Suite } from './suites.ts';

/** The connectors of this repository, and the anti-fraud service that has a folder of its own. */
export const ids: readonly string[] = [...connectors, forter].map(({ id }) => id);

/** Writes the page of the connectors with the counts of a run. */
export async function connectorsPage(
  counts: ReadonlyMap<string, ReadonlyMap<Suite, Count>>,
): Promise<string> {
  const passed = ids.map((id) => [id, ...SUITES.map((suite) => counts.get(id)?.get(suite)?.passed ?? '')]);
  const sizes = await Promise.all(
    ids.map(async (id) => {
      const { model, tables, tests } = await countLines(id);
      return [id, model, tables, tests, await countHours(id)];
    }),
  );
  return await withTables('src/docs/reference/connectors.md', [
    table(['connector', ...SUITES], passed),
    table(
      [
        ...['connector', 'lines of the connector', 'lines of its tables'],
        ...['lines of its double and tests', 'hours with a commit'],
      ],
      sizes,
    ),
  ]);
}

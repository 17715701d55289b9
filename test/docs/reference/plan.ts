import { sectionOf } from '../../bench/results.ts';
import { withTables } from './table.ts';

/** Writes the tables of the bench `plan` into the operator's page. */
export async function planPage(): Promise<string> {
  const section = await sectionOf('plan');
  const tables = (section.match(/^(?:\|.*\n)+/gm) ?? []).map((each) => each.trimEnd());
  return withTables('src/docs/operate/plan.md', tables);
}

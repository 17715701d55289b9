import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import type { Difference } from './difference.ts';
import { differenceFilter } from './filter.ts';
import { readDifference, readDifferencePage } from './differences.sql.ts';

/** Lists a page of the merchant account's differences that meet the filter, newest first. */
export async function listDifferences(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
  given: unknown,
): Promise<Result<Page<Difference>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  const filter = parseInput(differenceFilter, given ?? {});
  if (!filter.ok) return filter;
  return ok(toPage(page, await readDifferencePage(app.db, merchantAccountId, filter.value, page)));
}

/** Returns a difference. Null if the viewer's merchant account has none with the id. */
export const findDifference = async (
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<Difference | null> => (isUuid(id) ? readDifference(app.db, merchantAccountId, id) : null);

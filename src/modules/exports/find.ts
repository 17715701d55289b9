import type { App, Viewer } from '../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { coversAny } from '../../kernel/scope.ts';
import { inOrderOf, isUuid } from '../../platform/ids.ts';
import { EXPORT_TYPES, type Export, type ExportType } from './export.ts';
import { SOURCES } from './sources/sources.ts';
import { readExportPage, readExports } from './store.ts';

/** Returns the scope that reads the records of a type. */
export const exportScopeOf = (type: ExportType): string => SOURCES[type].scope;

/** Returns the types whose records the viewer may read. The viewer sees no export of another type. */
const readableTypes = ({ scopes }: Viewer): readonly ExportType[] =>
  EXPORT_TYPES.filter((type) => coversAny(scopes, exportScopeOf(type)));

/** Lists the exports of the merchant account whose records the viewer may read, newest first. */
export async function listExports(
  app: App,
  viewer: Viewer,
  page: PageRequest,
): Promise<Result<Page<Export>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  const { merchantAccountId } = viewer;
  return ok(toPage(page, await readExportPage(app.db, merchantAccountId, page, readableTypes(viewer))));
}

/** Returns exports in the order of the ids. Null for an id without an export whose records the viewer may read. */
export async function findExports(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (Export | null)[]> {
  const found = await readExports(
    app.db,
    viewer.merchantAccountId,
    ids.filter(isUuid),
    readableTypes(viewer),
  );
  return inOrderOf(ids, found);
}

import type { App, Viewer } from '../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import { notFound, type InvalidInput, type NotFound } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Session } from './session.ts';
import { endSessionAt, findSessionOf, readSessions } from './store.ts';

/** Lists the sessions that have neither ended nor expired, newest first. Refuses a cursor of another list. */
export async function listSessions(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
): Promise<Result<Page<Session>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  return ok(toPage(page, await readSessions(app.db, merchantAccountId, page, app.clock.now())));
}

/** Ends a session of the merchant account. Its next request is refused. An ended session stays as it is. Commits once. */
export async function revokeSession(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<Result<Session, NotFound>> {
  const known = isUuid(id) ? await findSessionOf(app.db, merchantAccountId, id) : null;
  if (!known) return refuse(notFound('session'));
  await app.db.transaction((tx) => endSessionAt(tx, known, app.clock.now()));
  const ended = await findSessionOf(app.db, merchantAccountId, id);
  if (!ended) throw new Error('A session vanished.');
  return ok(ended);
}

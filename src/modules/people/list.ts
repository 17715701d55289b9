import type { App, Viewer } from '../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isUuid } from '../../platform/ids.ts';
import { emailOf, type Person } from './person.ts';
import { findPersonNamed, readPeople, withoutSecrets } from './store/people.ts';

/** Lists the people of the merchant account, newest first. Refuses a cursor of another list. */
export async function listPeople(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
): Promise<Result<Page<Person>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  return ok(toPage(page, await readPeople(app.db, merchantAccountId, page)));
}

/** Returns the person with a local account of this e-mail address. Null without one. */
export async function findLocalPerson(
  app: App,
  merchantAccountId: string,
  email: string,
): Promise<Person | null> {
  const found = await findPersonNamed(app.db, merchantAccountId, { email: emailOf(email) });
  return found && withoutSecrets(found);
}

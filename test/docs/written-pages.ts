import { readFile } from 'node:fs/promises';
import { format, type FormatConfig } from 'oxfmt';
import { guidePage, GUIDES, madeElsewherePage } from './reference/arrivals.ts';
import { commandsPage } from './reference/commands.ts';
import { errorCodesPage } from './reference/error-codes.ts';
import { eventPayloadsPage } from './reference/event-payloads.ts';
import { eventsPage } from './reference/events.ts';
import { limitsPage } from './reference/limits.ts';
import { paymentMethodsPage } from './reference/payment-methods.ts';
import { planPage } from './reference/plan.ts';
import { readmePage } from './reference/providers.ts';
import { sandboxPage } from './reference/sandbox.ts';
import { scopesPage } from './reference/scopes.ts';
import { settingsPage } from './reference/settings.ts';
import { toConfirmPage } from './reference/to-confirm.ts';
import { payloadTypes } from './payload-types.ts';

/** Every file that is written from the code: pages, and the types of the client. */
export const WRITTEN_PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'README.md': readmePage,
  'src/docs/sandbox.md': sandboxPage,
  'src/client/generated/payloads.ts': payloadTypes,
  'src/docs/concepts/made-elsewhere.md': madeElsewherePage,
  ...Object.fromEntries(GUIDES.map((id) => [`src/docs/guides/${id}.md`, () => guidePage(id)])),
  'src/docs/guides/payment-methods.md': paymentMethodsPage,
  'src/docs/guides/to-confirm.md': toConfirmPage,
  'src/docs/operate/plan.md': planPage,
  'src/docs/reference/commands.md': commandsPage,
  'src/docs/reference/error-codes.md': errorCodesPage,
  'src/docs/reference/event-payloads.md': eventPayloadsPage,
  'src/docs/reference/events.md': eventsPage,
  'src/docs/reference/limits.md': limitsPage,
  'src/docs/reference/scopes.md': scopesPage,
  'src/docs/reference/settings.md': settingsPage,
};

/** Writes a file from the code, formatted as the repository formats such files. */
export async function writtenPage(path: string): Promise<string> {
  const write = WRITTEN_PAGES[path];
  if (!write) throw new Error(`No file is written to ${path}.`);
  const style = JSON.parse(await readFile('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code, errors } = await format(path, await write(), style);
  if (errors.length > 0) throw new Error(`${path} cannot be formatted: ${JSON.stringify(errors)}`);
  return code;
}

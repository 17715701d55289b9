import type { ConnectionSettings } from '../postgres/connection-settings.ts';
import type { Db } from '../database/db.ts';
import { prepare } from '../database/statement.ts';

const read = prepare(
  'connection_settings',
  `SELECT name, setting, current_user AS role FROM pg_settings WHERE name = ANY (@names::text[])`,
);

type Setting = { readonly name: string; readonly setting: string; readonly role: string };

/**
 * Returns the statements that give the role of connections the settings which a pooler dropped. An empty list means that the
 * connections have all settings.
 */
export async function findLostSettings(db: Db, wanted: ConnectionSettings): Promise<readonly string[]> {
  const rows = await db.query<Setting>(read({ names: Object.keys(wanted) }));
  return rows
    .filter(({ name, setting }) => wanted[name] !== setting)
    .map(({ name, role }) => `ALTER ROLE "${role}" SET ${name} = '${wanted[name]}';`);
}

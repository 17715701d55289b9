import type { Definition } from '../../../connectors/interface/definition.ts';
import { packageText } from '../../../connectors/packages/house.ts';
import { ACTS } from '../../../platform/database/acting.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';

/** An account on the way stays as it is. A start of its next cell records the package there. */
const recordServing = prepare(
  'record_connector_packages',
  `WITH serving AS (
     SELECT * FROM unnest(@definitions::text[], @packages::text[]) AS d (definition_id, package)
   ), changed AS (
     SELECT s.merchant_account_id, s.id, d.package FROM payment_service s JOIN serving d USING (definition_id)
     WHERE s.deleted_at IS NULL AND s.connector_package IS DISTINCT FROM d.package
       AND s.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
     ORDER BY s.merchant_account_id, s.id FOR UPDATE OF s
   ), written AS (
     UPDATE payment_service s SET connector_package = c.package FROM changed c
     WHERE s.merchant_account_id = c.merchant_account_id AND s.id = c.id
     RETURNING s.id
   )
   SELECT id FROM written WHERE ${ACTS}`,
);

/**
 * Records at each payment service the package that serves its definition now. The audit log then shows the package and the
 * version of each time. Writes changed services alone. A service without a connector keeps its former package.
 */
export async function recordPackages(
  { db }: { readonly db: Pick<Db, 'query'> },
  definitions: readonly Pick<Definition, 'id' | 'package'>[],
): Promise<void> {
  const ids = definitions.map(({ id }) => id);
  await db.query(recordServing({ definitions: ids, packages: definitions.map(packageText) }));
}

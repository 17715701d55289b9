import { query } from '../support/database.ts';

/** Copies the oldest payment, one copy a minute before it. Returns when the list has all of them. */
export async function copyPayments(databaseUrl: string, count: number): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO transaction
     SELECT (jsonb_populate_record(t, jsonb_build_object(
       'id', audit_id(t.created_at - make_interval(mins => n)),
       'created_at', t.created_at - make_interval(mins => n),
       'updated_at', t.created_at - make_interval(mins => n),
       'external_identifier', 'copy-' || n))).*
     FROM transaction t, generate_series(1, ${count}) n
     WHERE t.id = (SELECT min(id::text)::uuid FROM transaction)`,
  );
}

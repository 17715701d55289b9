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

/** Copies every payment with its operations and amounts several times, to moments of the last `days` days. */
export async function spreadPayments(
  databaseUrl: string,
  { days, copies }: { readonly days: number; readonly copies: number },
): Promise<void> {
  const moment = (row: string, payment: string) =>
    `${row}.created_at - make_interval(mins => mod(abs(hashtext(${payment}::text || n)), ${days * 1440}))`;
  const copy = (table: string, payment: string, more: string): Promise<unknown> =>
    query(
      databaseUrl,
      `INSERT INTO ${table}
       SELECT (jsonb_populate_record(r, jsonb_build_object(
         'id', md5(n || r.id::text), 'created_at', ${moment('r', payment)}${more}))).*
       FROM ${table} r, generate_series(1, ${copies}) n WHERE ${payment} = ANY ($1::uuid[])`,
      [ids],
    );
  const ids = (await query<{ id: string }>(databaseUrl, 'SELECT id FROM transaction')).map(({ id }) => id);
  const settled = `, 'updated_at', ${moment('r', 'r.transaction_id')}, 'settled_at', ${moment('r', 'r.transaction_id')}`;
  /** A row of its own: of the copied payment, and at the end of its table. */
  const own = (table: string): string =>
    `, 'transaction_id', md5(n || r.transaction_id::text), 'position', nextval('${table}_position_seq')`;
  await copy('transaction', 'r.id', `, 'updated_at', ${moment('r', 'r.id')}`);
  await copy('operation', 'r.transaction_id', own('operation') + settled);
  const booked = `, 'operation_id', md5(n || r.operation_id::text)`;
  await copy('ledger_entry', 'r.transaction_id', own('ledger_entry') + booked);
}

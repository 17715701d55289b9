import type pg from 'pg';
import { failpoint } from '../failpoint.ts';
import { OperatorError } from '../operator-error.ts';
import { SQLSTATE, sqlState } from '../database/db.ts';
import { KIND, readFactOn } from '../database/installation-facts.ts';
import { unwrapDataKey } from '../vault/data-keys.ts';
import type { KeyProvider } from '../vault/master-key/key-provider.ts';
import { countReadKeyPairs, countTables, type Counted } from './count.sql.ts';
import { requireNoRestore, standsAt, type MoveApp } from './depart.ts';
import { rowsDigestOf } from './export-account.ts';
import { readHeader, readRows, type Header } from './file.ts';
import { ADD_KEY_PAIRS } from './key-pairs.sql.ts';
import { auditMove, inTransaction, readMove, stepMove, writeMove, type Move } from './moves.sql.ts';
import { confirmationOf, isKeyOf, receiptOf, type Arrival } from './proofs.ts';
import { readDataKeys, releaseKeyPairs, removeBareAccount, tableWithRows } from './rows.sql.ts';
import {
  GIVE_PLACES,
  insertArriving,
  movingTables,
  PLACES,
  readTables,
  WITHOUT_TRIGGERS,
  type Table,
} from './tables.sql.ts';
import { readSchema } from './versions.sql.ts';
import { raiseWall } from './wall.sql.ts';

export type Imported = {
  readonly account: string;
  readonly receipt: string;
  readonly tables: readonly Counted[];
};

/**
 * Imports an account from a file, and serves it to nobody yet. Commits once: all rows with the move, or nothing. A second
 * import of the same move changes nothing, and answers the same receipt. Compares the number and the checksum of the rows
 * of each table before the commit.
 */
export async function importAccount(app: MoveApp, keys: KeyProvider, path: string): Promise<Imported> {
  const { client, say } = app;
  const header = await readHeader(path);
  const { account, move: id } = header;
  await requireSameKind(client, header);
  const known = await readMove(client, account);
  const isHere = known?.state === 'arriving' || known?.state === 'open';
  if (isHere && known.id === id) {
    say('The file was imported before.');
    return { account, receipt: receiptOf(arrivalOf(known)), tables: header.tables };
  }
  if (known && known.state !== 'forgotten' && known.state !== 'open')
    throw new OperatorError(standsAt(account, known));
  await requireNoRestore(client);
  const tables = await readTables(client);
  await raiseWall(client, tables);
  try {
    const imported = await inTransaction(client, () => insertAll(app, { header, path, keys, tables }));
    // The end of another move may have taken the triggers away, because it saw no move here.
    await raiseWall(client, tables);
    return imported;
  } catch (error) {
    throw sentenceOf(error, account);
  }
}

/** Refuses a file of another schema or of the other kind of installation. */
async function requireSameKind(client: pg.Client, { schema, kind }: Header): Promise<void> {
  const own = await readSchema(client);
  if (own.digest !== schema.digest)
    throw new OperatorError(
      `The file has the schema ${schema.last}, and this database has ${own.last}. Bring both cells to the same release.`,
    );
  const ownKind = await readFactOn(client, KIND);
  if (kind !== ownKind)
    throw new OperatorError(
      `The file is of a ${kind ?? 'new'} installation, and this one is ${ownKind ?? 'new'}.`,
    );
}

type Import = {
  readonly header: Header;
  readonly path: string;
  readonly keys: KeyProvider;
  readonly tables: readonly Table[];
};

async function insertAll(app: MoveApp, { header, path, keys, tables }: Import): Promise<Imported> {
  const { client, ids } = app;
  const { account, move: id, publicKey } = header;
  // Each import has an id of its own. The key of one opens no other, in this cell or elsewhere.
  const target = ids.random(16).toString('base64url');
  const facts = { cell: null, privateKey: null, publicKey, rowsDigest: null, target };
  await writeMove(client, { account, id, state: 'arriving', ...facts });
  await requireEmpty(client, account, tables);
  await client.query(PLACES);
  await client.query(WITHOUT_TRIGGERS);
  await removeBareAccount(client, account);
  await releaseKeyPairs(client, account);
  const keyPairs = await insertRows(app, { account, path, tables });
  const counted = [keyPairs, ...(await countTables(client, account))];
  requireEqual(header.tables, counted);
  await requireKeys(client, keys, account);
  const rowsDigest = rowsDigestOf(id, counted);
  await stepMove(client, { id, state: 'arriving' }, 'arriving', { rowsDigest });
  return { account, receipt: receiptOf({ target, rowsDigest }), tables: counted };
}

/** Inserts the rows of a file. Returns the number of its key pairs. */
async function insertRows(
  { client, say }: MoveApp,
  { account, path, tables }: { readonly account: string } & Pick<Import, 'path' | 'tables'>,
): Promise<Counted> {
  const moving = new Map(movingTables(tables).map((table) => [table.name, insertArriving(table)]));
  let pairs = '[]';
  let current = '';
  for await (const { table, json } of readRows(path)) {
    if (table !== current) {
      say(`Reading ${table}.`);
      current = table;
      await failpoint(`move.importing.${table}`);
    }
    if (table === 'api_key_pair') pairs = joined(pairs, json);
    if (table === 'feed_entry') await client.query(GIVE_PLACES, [json]);
    const text = table === 'api_key_pair' ? ADD_KEY_PAIRS : moving.get(table);
    if (text === undefined)
      throw new OperatorError(`The file has rows of ${table}, which this version does not know.`);
    await client.query(text, [json, account]);
  }
  return await countReadKeyPairs(client, pairs);
}

/** Joins two arrays of JSON. */
const joined = (one: string, other: string): string =>
  one === '[]' ? other : `${one.slice(0, -1)},${other.slice(1)}`;

/** Returns the import of a move in the target. */
function arrivalOf({ target, rowsDigest }: Move): Arrival {
  if (target === null || rowsDigest === null) throw new Error('An import has no id.');
  return { target, rowsDigest };
}

/** Refuses an account that has rows here. An account that left before has its own row alone. */
async function requireEmpty(client: pg.Client, account: string, tables: readonly Table[]): Promise<void> {
  const table = await tableWithRows(client, account, tables);
  if (table !== null)
    throw new OperatorError(`This cell has rows of ${account} already, in ${table}. Nothing was imported.`);
}

function requireEqual(expected: readonly Counted[], found: readonly Counted[]): void {
  const differ = found.filter(({ name, rows, checksum }) => {
    const other = expected.find((each) => each.name === name);
    return other?.rows !== rows || other.checksum !== checksum;
  });
  if (differ.length > 0)
    throw new OperatorError(
      `The imported rows differ from the export: ${differ.map(({ name }) => name).join(', ')}. Nothing was imported.`,
    );
}

/** Opens each data key of the account, so that the target can read every secret. */
async function requireKeys(client: pg.Client, keys: KeyProvider, account: string): Promise<void> {
  for (const row of await readDataKeys(client, account)) await unwrapDataKey(keys, row);
}

const NO_PARTITION = /^no partition of relation/;

function sentenceOf(error: unknown, account: string): unknown {
  if (sqlState(error) === SQLSTATE.notAllowed)
    return new OperatorError(
      'The role of the database may not set session_replication_role. A superuser runs: GRANT SET ON PARAMETER session_replication_role TO the role.',
    );
  if (
    sqlState(error) === SQLSTATE.checkViolation &&
    error instanceof Error &&
    NO_PARTITION.test(error.message)
  )
    return new OperatorError(
      `This cell has too few partitions for the webhooks of ${account}. Run "paygraph migrate" here, and import again. Nothing was imported.`,
    );
  if (sqlState(error) === SQLSTATE.uniqueViolation)
    return new OperatorError(
      `This cell has a record that the file of ${account} has, too. Nothing was imported.`,
    );
  return error;
}

/**
 * Opens an imported account: from now on, this cell serves it. Demands the key of the source for this import, so never do
 * two cells serve the account. Returns the confirmation for the source, and the same one again.
 *
 * Counts no rows again, because a second count would lengthen the hold. The rows came in one transaction with the digest
 * over them, and nothing changes them meanwhile.
 */
export async function openAccount({ client }: MoveApp, account: string, key: string): Promise<string> {
  const move = await readMove(client, account);
  if (!move || (move.state !== 'arriving' && move.state !== 'open'))
    throw new OperatorError(standsAt(account, move));
  const arrival = arrivalOf(move);
  if (!isKeyOf(key, { move: move.id, target: arrival.target }, move.publicKey))
    throw new OperatorError(
      'The key is not that of this import. Give the key that "move --leave" printed for the receipt of this cell.',
    );
  if (move.state === 'arriving') {
    await inTransaction(client, async () => {
      await stepMove(client, move, 'open');
      await auditMove(client, move, 'account.moved');
    });
  }
  return confirmationOf(key, receiptOf(arrival));
}

import { queryIn, type Db } from '../../../platform/database/db.ts';
import type { AuditChain, AuditEntry as EntryRow } from '../../../platform/generated/prisma/client.ts';
import { rowReader, type JsonRow } from '../../../platform/database/json-row.ts';
import type { Reads } from './blocks.sql.ts';
import { prepare, prepareFile } from '../../../platform/database/statement.ts';

/** An entry as the chain covers it. */
export type Entry = EntryRow;

/** The ends of a merchant account's chain. */
export type Chain = AuditChain;

/** The next block of an account, and the chain before and after. */
export type Linked = {
  readonly before: Chain;
  readonly after: Chain;
  readonly ids: readonly string[];
  readonly hashes: readonly string[];
};

/** The chain of an account without chained entries. */
export const NO_CHAIN = { sequence: 0n, hash: '', floorSequence: 0n, floorHash: '', seal: '' } as const;

const unchainedStatement = prepareFile(import.meta, 'audit-unchained.sql');

/** Entries without a place, with the chains of their merchant accounts, and the state of the reader at that time. */
export type Unchained = {
  readonly version: string;
  readonly oldestRunning: string;
  readonly accounts: readonly { readonly chain: Chain; readonly entries: readonly Entry[] }[];
};

type UnchainedRow = Pick<Unchained, 'version' | 'oldestRunning'> & {
  readonly entry: JsonRow;
  readonly chain: ChainJson | null;
};

/**
 * Reads the oldest entries without a place in a chain, in any merchant account. One statement reads them with their chains, so the write
 * can tell a chain that somebody has changed since. Null when every entry has its place.
 */
export async function readUnchained(db: Db, limit: number): Promise<Unchained | null> {
  const rows = await db.query<UnchainedRow>(unchainedStatement({ limit }));
  const [first] = rows;
  if (!first) return null;
  const read = rows.map(({ entry, chain }) => ({ entry: toEntry(entry), chain }));
  const accounts = [...Map.groupBy(read, ({ entry }) => entry.merchantAccountId)].map(
    ([merchantAccountId, own]) => ({
      chain: { merchantAccountId, ...toChain(own[0]?.chain ?? null) },
      entries: own.map(({ entry }) => entry),
    }),
  );
  return { version: first.version, oldestRunning: first.oldestRunning, accounts };
}

const toEntry = rowReader<EntryRow, EntryRow>();

/** A chain as JSON, which has no 64-bit integers. */
type ChainJson = {
  readonly [Field in keyof Omit<Chain, 'merchantAccountId'>]: string;
};

const toChain = (json: ChainJson | null): Omit<Chain, 'merchantAccountId'> =>
  json === null
    ? NO_CHAIN
    : { ...json, sequence: BigInt(json.sequence), floorSequence: BigInt(json.floorSequence) };

/** The longest verification of one account. Ten million entries take some minutes. */
const SNAPSHOT_MAX_MS = 6 * 3_600_000;

/** Runs reads that all see the same moment, whatever the chain and the retention do meanwhile. Holds one connection. */
export const readAtOneMoment = <Value>({ prisma }: Db, run: (db: Reads) => Promise<Value>): Promise<Value> =>
  prisma.$transaction((tx) => run({ prisma: tx }), {
    isolationLevel: 'RepeatableRead',
    timeout: SNAPSHOT_MAX_MS,
  });

/** Reads the chains of merchant accounts in no order. */
export const readChains = ({ prisma }: Reads, ids: readonly string[]): Promise<readonly Chain[]> =>
  prisma.auditChain.findMany({ where: { merchantAccountId: { in: [...ids] } } });

/** Reads the merchant accounts with a chain or an entry, by id. */
export async function readAuditedAccounts({ prisma }: Db): Promise<readonly string[]> {
  const [chains, entries] = await Promise.all([
    prisma.auditChain.findMany({ select: { merchantAccountId: true } }),
    prisma.merchantAccount.findMany({ select: { id: true } }),
  ]);
  const ids = [...chains.map(({ merchantAccountId }) => merchantAccountId), ...entries.map(({ id }) => id)];
  return [...new Set(ids)].toSorted();
}

/** Counts the entries of an account from before a moment. */
export const countEntries = ({ prisma }: Reads, merchantAccountId: string, before: Date): Promise<number> =>
  prisma.auditEntry.count({ where: { merchantAccountId, createdAt: { lt: before } } });

const linkStatement = prepareFile(import.meta, 'audit-link.sql');

/**
 * Writes blocks of entries with the new ends of their chains, and moves the reader behind them, in one commit. Writes nothing when
 * another process has chained entries since the read. The same holds for a chain that the retention has changed.
 */
export async function writeLinks(
  db: Db,
  { version, oldestRunning, accounts }: Unchained,
  linked: readonly Linked[],
  limit: number,
): Promise<void> {
  const blocks = linked.map(({ before, after, ids, hashes }) => {
    const sorted = ids.toSorted();
    const sequence = String(before.sequence + 1n);
    return {
      ...{ account: after.merchantAccountId, sequence, ids, hashes },
      ...{ first_id: sorted[0], last_id: sorted.at(-1) },
    };
  });
  await db.query(
    linkStatement({
      ...{ version, oldestRunning, limit },
      positions: accounts.flatMap(({ entries }) => entries.map(({ position }) => position)),
      accounts: linked.map(({ after }) => after.merchantAccountId),
      sequences: linked.map(({ after }) => after.sequence),
      hashes: linked.map(({ after }) => after.hash),
      seals: linked.map(({ after }) => after.seal),
      sealsBefore: linked.map(({ before }) => before.seal),
      blocks: JSON.stringify(blocks),
    }),
  );
}

const allowRemoval = prepare('audit_allow_removal', `SELECT set_config('paygraph.retention', 'on', true)`);

/**
 * Removes the entries and the blocks up to the floor of a chain. The same commit moves the floor. Removes nothing when the chain has
 * changed since `sealBefore`.
 */
export async function removeUpTo(
  db: Db,
  chain: Chain,
  { sealBefore, ids }: { readonly sealBefore: string; readonly ids: readonly string[] },
): Promise<boolean> {
  const { merchantAccountId, floorSequence, floorHash, seal } = chain;
  const removal = db.transaction(async (tx) => {
    await queryIn(tx).query(allowRemoval({}));
    await tx.auditEntry.deleteMany({ where: { merchantAccountId, id: { in: [...ids] } } });
    await tx.auditBlock.deleteMany({ where: { merchantAccountId, sequence: { lte: floorSequence } } });
    // Last, because new entries of all accounts wait for the lock of the chain.
    const { count } = await tx.auditChain.updateMany({
      where: { merchantAccountId, seal: sealBefore },
      data: { floorSequence, floorHash, seal },
    });
    if (count === 0) throw new ChangedChain();
    return true;
  });
  return await removal.catch((error: unknown) => {
    if (error instanceof ChangedChain) return false;
    throw error;
  });
}

/** Takes the removal back. */
class ChangedChain extends Error {}

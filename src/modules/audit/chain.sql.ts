import { queryIn, type Db } from '../../platform/db.ts';
import type { AuditChain, AuditEntry as EntryRow } from '../../platform/generated/prisma/client.ts';
import { rowReader, type JsonRow } from '../../platform/json-row.ts';
import { prepare } from '../../platform/statement.ts';

/** An entry as the chain covers it. */
export type Entry = EntryRow;

/** The ends of a merchant account's chain. */
export type Chain = AuditChain;

/** The entries of one account with their places, and the chain before and after. */
export type Linked = {
  readonly before: Chain;
  readonly after: Chain;
  readonly links: readonly { readonly id: string; readonly sequence: bigint; readonly hash: string }[];
};

/** The chain of an account without chained entries. */
export const NO_CHAIN = { sequence: 0n, hash: '', floorSequence: 0n, floorHash: '', seal: '' } as const;

const unchainedStatement = prepare(
  'audit_unchained',
  `SELECT row_to_json(e) AS entry, (
     SELECT json_build_object('sequence', c.sequence::text, 'hash', c.hash, 'floorSequence', c.floor_sequence::text,
       'floorHash', c.floor_hash, 'seal', c.seal) FROM audit_chain c WHERE c.merchant_account_id = e.merchant_account_id) AS chain
   FROM (SELECT * FROM audit_entry WHERE sequence IS NULL ORDER BY id LIMIT @limit) e ORDER BY e.id`,
);

/** Entries without a place, with the chain of their merchant account. */
export type Unchained = { readonly chain: Chain; readonly entries: readonly Entry[] };

/**
 * Reads the oldest entries without a place in a chain, in any merchant account. One statement reads both, so a later
 * change of a chain shows that somebody else has chained its entries.
 */
export async function readUnchained(db: Db, limit: number): Promise<readonly Unchained[]> {
  const rows = await db.query<{ entry: JsonRow; chain: ChainJson | null }>(unchainedStatement({ limit }));
  const read = rows.map(({ entry, chain }) => ({ entry: toEntry(entry), chain }));
  return [...Map.groupBy(read, ({ entry }) => entry.merchantAccountId)].map(([merchantAccountId, own]) => ({
    chain: { merchantAccountId, ...toChain(own[0]?.chain ?? null) },
    entries: own.map(({ entry }) => entry),
  }));
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

/** Reads the chains of merchant accounts in no order. */
export const readChains = ({ prisma }: Db, ids: readonly string[]): Promise<readonly Chain[]> =>
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

/** Reads the chained entries after a place, in the order of the chain. */
export const readChained = (
  { prisma }: Db,
  merchantAccountId: string,
  after: bigint,
  limit: number,
): Promise<readonly Entry[]> =>
  prisma.auditEntry.findMany({
    where: { merchantAccountId, sequence: { gt: after } },
    orderBy: { sequence: 'asc' },
    take: limit,
  });

/** Counts the entries without a place from before a moment. */
export const countUnchained = ({ prisma }: Db, merchantAccountId: string, before: Date): Promise<number> =>
  prisma.auditEntry.count({ where: { merchantAccountId, sequence: null, createdAt: { lt: before } } });

const linkStatement = prepare(
  'audit_link',
  `
  WITH head AS (
    INSERT INTO audit_chain AS c (merchant_account_id, sequence, hash, floor_sequence, floor_hash, seal)
    SELECT account, sequence, hash, 0, '', seal
    FROM unnest(@accounts::text[], @sequences::bigint[], @hashes::text[], @seals::text[]) AS h (account, sequence, hash, seal)
    ON CONFLICT (merchant_account_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, seal = excluded.seal
      WHERE c.seal = (SELECT seal FROM unnest(@accounts::text[], @sealsBefore::text[]) AS b (account, seal)
        WHERE b.account = c.merchant_account_id)
    RETURNING c.merchant_account_id)
  UPDATE audit_entry e SET sequence = l.sequence, hash = l.hash
  FROM unnest(@linkAccounts::text[], @linkIds::uuid[], @linkSequences::bigint[], @linkHashes::text[])
    AS l (account, id, sequence, hash)
  JOIN head ON head.merchant_account_id = l.account
  WHERE e.merchant_account_id = l.account AND e.id = l.id AND e.sequence IS NULL
  RETURNING 1`,
);

/**
 * Writes the places of entries and the new ends of their chains, in one commit. An account whose chain has changed
 * since the read gets nothing. Returns the number of chained entries.
 */
export async function writeLinks(db: Db, linked: readonly Linked[]): Promise<number> {
  const links = linked.flatMap((one) =>
    one.links.map((each) => ({ ...each, account: one.after.merchantAccountId })),
  );
  const rows = await db.query(
    linkStatement({
      accounts: linked.map(({ after }) => after.merchantAccountId),
      sequences: linked.map(({ after }) => after.sequence),
      hashes: linked.map(({ after }) => after.hash),
      seals: linked.map(({ after }) => after.seal),
      sealsBefore: linked.map(({ before }) => before.seal),
      linkAccounts: links.map(({ account }) => account),
      linkIds: links.map(({ id }) => id),
      linkSequences: links.map(({ sequence }) => sequence),
      linkHashes: links.map(({ hash }) => hash),
    }),
  );
  return rows.length;
}

const allowRemoval = prepare('audit_allow_removal', `SELECT set_config('paygraph.retention', 'on', true)`);

/**
 * Removes the entries up to the floor of a chain. The same commit moves the floor. Removes nothing when the chain has
 * changed since `sealBefore`.
 */
export async function removeUpTo(db: Db, chain: Chain, sealBefore: string): Promise<boolean> {
  const { merchantAccountId, floorSequence, floorHash, seal } = chain;
  return await db.transaction(async (tx) => {
    const { count } = await tx.auditChain.updateMany({
      where: { merchantAccountId, seal: sealBefore },
      data: { floorSequence, floorHash, seal },
    });
    if (count === 0) return false;
    await queryIn(tx).query(allowRemoval({}));
    await tx.auditEntry.deleteMany({ where: { merchantAccountId, sequence: { lte: floorSequence } } });
    return true;
  });
}

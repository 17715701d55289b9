import type { PageRequest } from '../../kernel/page.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import type {
  RoutingActivation as ActivationRow,
  RoutingRuleSet as RuleSetRow,
  RoutingRuleSetVersion as VersionRow,
  RoutingValueSet as ValueSetRow,
} from '../../platform/generated/prisma/client.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Figures, FiguresContent } from './figures/figures.ts';
import type { Rule } from './model/rule.ts';
import type { Activation, RuleSet, StoredVersion, VersionHead } from './model/rule-set.ts';
import type { ValueKind, ValueSet } from './model/value-set.ts';

/** Inserts a rule set without versions. */
export async function insertRuleSet(tx: Tx, ruleSet: RuleSet): Promise<void> {
  await tx.routingRuleSet.create({ data: ruleSet });
}

/**
 * Counts a new version of a rule set, and returns the rule set afterwards. Null for an unknown id. Others who add a version wait
 * until this transaction ends, so that each version has its own number.
 */
export async function countVersion(
  tx: Tx,
  { merchantAccountId, id }: Pick<RuleSet, 'merchantAccountId' | 'id'>,
  now: Date,
): Promise<RuleSet | null> {
  if (!isUuid(id)) return null;
  await tx.routingRuleSet.updateMany({
    where: { merchantAccountId, id },
    data: { latestVersion: { increment: 1 }, updatedAt: now },
  });
  return await tx.routingRuleSet.findFirst({ where: { merchantAccountId, id } });
}

export async function insertVersion(tx: Tx, { rules, ...version }: StoredVersion): Promise<void> {
  await tx.routingRuleSetVersion.create({ data: { ...version, rules: [...rules] } });
}

export async function insertActivation(tx: Tx, activation: Activation): Promise<void> {
  await tx.routingActivation.create({ data: activation });
}

type Cancellation = Pick<Activation, 'merchantAccountId' | 'id'> & { readonly now: Date };

/**
 * Cancels an activation that has not begun. Returns false for any other. An activation at once has begun, also by a clock that is
 * behind. A concurrent cancellation waits, and returns false.
 */
export async function cancelPlanned(tx: Tx, { merchantAccountId, id, now }: Cancellation): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { createdAt } = tx.routingActivation.fields;
  const { count } = await tx.routingActivation.updateMany({
    where: {
      ...{ merchantAccountId, id, canceledAt: null },
      AND: [{ activeFrom: { gt: now } }, { activeFrom: { gt: createdAt } }],
    },
    data: { canceledAt: now },
  });
  return count === 1;
}

/** Reads an activation. Null for an unknown id. */
export async function findActivation(
  tx: Tx,
  merchantAccountId: string,
  id: string,
): Promise<Activation | null> {
  if (!isUuid(id)) return null;
  return await tx.routingActivation.findFirst({ where: { merchantAccountId, id } });
}

/** Reads the merchant account's rule sets of these ids, in no order. Unknown ids are left out. */
export const findRuleSetsByIds = (
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly RuleSet[]> =>
  prisma.routingRuleSet.findMany({ where: { merchantAccountId, id: { in: uuidsAmong(ids) } } });

/** Reads the merchant account's versions of these ids, in no order. Unknown ids are left out. */
export async function findVersionsByIds(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly StoredVersion[]> {
  const where = { merchantAccountId, id: { in: uuidsAmong(ids) } };
  return (await prisma.routingRuleSetVersion.findMany({ where })).map(toVersion);
}

/** Reads versions without their rules like `findVersionsByIds`. */
export const findVersionHeadsByIds = (
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly VersionHead[]> =>
  prisma.routingRuleSetVersion.findMany({
    where: { merchantAccountId, id: { in: uuidsAmong(ids) } },
    omit: { rules: true },
  });

/** Reads the rules of a version. Null for an unknown one. */
export async function findRules(
  tx: Tx,
  merchantAccountId: string,
  id: string,
): Promise<readonly Rule[] | null> {
  if (!isUuid(id)) return null;
  const version = await tx.routingRuleSetVersion.findFirst({ where: { merchantAccountId, id } });
  return version && toVersion(version).rules;
}

/**
 * Reads the activation of a merchant account, or of one key there, that decides at a moment. Null before the first. An activation at
 * once decides from its commit on, also by a clock that is behind. A canceled one never decides. Routing has the same condition in SQL.
 */
export const findActiveAt = (
  { prisma }: { readonly prisma: Tx },
  { merchantAccountId, apiKeyPairId }: Pick<Activation, 'merchantAccountId' | 'apiKeyPairId'>,
  now: Date,
): Promise<Activation | null> =>
  prisma.routingActivation.findFirst({
    where: { ...{ merchantAccountId, apiKeyPairId }, ...begunAt(prisma, now) },
    orderBy: [{ activeFrom: 'desc' }, { id: 'desc' }],
  });

/** Reads the activation of each key that decides at a moment, like `findActiveAt`. */
export const findActiveOfKeys = (
  { prisma }: Db,
  merchantAccountId: string,
  now: Date,
): Promise<readonly Activation[]> =>
  prisma.routingActivation.findMany({
    where: { merchantAccountId, apiKeyPairId: { not: null }, ...begunAt(prisma, now) },
    distinct: ['apiKeyPairId'],
    orderBy: [{ activeFrom: 'desc' }, { id: 'desc' }],
  });

const begunAt = (prisma: Tx, now: Date) => ({
  canceledAt: null,
  OR: [{ activeFrom: { lte: now } }, { activeFrom: { lte: prisma.routingActivation.fields.createdAt } }],
});

/** Reads the ids of the versions that payment links name which can still be paid. */
export async function findVersionsOfLinks(
  { prisma }: Db,
  merchantAccountId: string,
): Promise<readonly string[]> {
  const groups = await prisma.paymentLink.groupBy({
    by: ['routingVersionId'],
    where: { merchantAccountId, routingVersionId: { not: null }, status: { in: ['active', 'processing'] } },
  });
  return groups.flatMap(({ routingVersionId }) => routingVersionId ?? []);
}

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export const listRuleSets = (
  { prisma }: Db,
  merchantAccountId: string,
  page: PageRequest,
): Promise<readonly RuleSetRow[]> =>
  prisma.routingRuleSet.findMany({ where: { merchantAccountId, ...beyond(page) }, ...inOrder(page) });

/** Reads a page of a rule set's versions, without their rules, like `listRuleSets`. */
export const listVersionHeads = (
  { prisma }: Db,
  { merchantAccountId, id: ruleSetId }: Pick<RuleSet, 'merchantAccountId' | 'id'>,
  page: PageRequest,
): Promise<readonly VersionHead[]> =>
  prisma.routingRuleSetVersion.findMany({
    where: { merchantAccountId, ruleSetId, ...beyond(page) },
    ...inOrder(page),
    omit: { rules: true },
  });

/** Reads a page of activations like `listRuleSets`, planned ones included. */
export const listActivations = (
  { prisma }: Db,
  merchantAccountId: string,
  page: PageRequest,
): Promise<readonly ActivationRow[]> =>
  prisma.routingActivation.findMany({ where: { merchantAccountId, ...beyond(page) }, ...inOrder(page) });

/** Reads the activations after a moment, the next ones first. */
export const findPlannedAfter = (
  { prisma }: Db,
  merchantAccountId: string,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly Activation[]> =>
  prisma.routingActivation.findMany({
    where: { merchantAccountId, activeFrom: { gt: now }, canceledAt: null },
    orderBy: [{ activeFrom: 'asc' }, { id: 'asc' }],
    take: limit,
  });

/** Plans a round of the worker that makes figures, at once. A round that is under way is followed by another. */
export async function planFigures(tx: Tx, merchantAccountId: string, now: Date): Promise<void> {
  await tx.routingFiguresRound.upsert({
    where: { merchantAccountId },
    create: { merchantAccountId, nextAt: now },
    update: { nextAt: now },
  });
}

/** Reads a snapshot of figures. Null for an unknown or removed one. */
export async function findFigures(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
  id: string,
): Promise<Figures | null> {
  const row = await prisma.routingFigures.findFirst({ where: { merchantAccountId, id } });
  // The worker wrote the content, and no statement changes it.
  return row && { id, madeAt: row.madeAt.toISOString(), ...(row.content as unknown as FiguresContent) };
}

/** Reads the id of the latest snapshot of figures. Routing has the same condition in SQL. */
export const findLatestFigures = (
  { prisma }: Db,
  merchantAccountId: string,
): Promise<{ readonly id: string } | null> =>
  prisma.routingFigures.findFirst({
    where: { merchantAccountId },
    orderBy: { id: 'desc' },
    select: { id: true },
  });

export async function insertValueSet(tx: Tx, { values, ...valueSet }: ValueSet): Promise<void> {
  await tx.routingValueSet.create({ data: { ...valueSet, values: [...values] } });
}

/** Changes the given parts of a value set that is there, and returns the value set afterwards. */
export async function changeValueSet(
  tx: Tx,
  { merchantAccountId, id }: ValueSet,
  { name, values, now }: ChangedParts & { readonly now: Date },
): Promise<ValueSet> {
  await tx.routingValueSet.updateMany({
    where: { merchantAccountId, id },
    data: { ...(name !== null && { name }), ...(values && { values: [...values] }), updatedAt: now },
  });
  return toValueSet(await tx.routingValueSet.findFirstOrThrow({ where: { merchantAccountId, id } }));
}

type ChangedParts = { readonly name: string | null; readonly values: readonly string[] | null };

/** Reads the merchant account's value sets of these ids, in no order. Unknown ids are left out. */
export async function findValueSetsByIds(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly ValueSet[]> {
  const where = { merchantAccountId, id: { in: uuidsAmong(ids) } };
  return (await prisma.routingValueSet.findMany({ where })).map(toValueSet);
}

/** Reads a page of value sets like `listRuleSets`. */
export async function listValueSets(
  { prisma }: Db,
  merchantAccountId: string,
  page: PageRequest,
): Promise<readonly ValueSet[]> {
  const where = { merchantAccountId, ...beyond(page) };
  return (await prisma.routingValueSet.findMany({ where, ...inOrder(page) })).map(toValueSet);
}

/** Converts a row. The database checks the kind. */
const toValueSet = (row: ValueSetRow): ValueSet => ({ ...row, kind: row.kind as ValueKind });

const uuidsAmong = (ids: readonly string[]): string[] => ids.filter((id) => isUuid(id));

const beyond = ({ direction, cursor }: PageRequest) =>
  cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } };

const inOrder = ({ direction, limit }: PageRequest) =>
  ({ orderBy: { id: direction === 'forward' ? 'desc' : 'asc' }, take: limit + 1 }) as const;

/** Converts a row. `insertVersion` wrote the rules, and no statement changes them. */
const toVersion = ({ rules, ...row }: VersionRow): StoredVersion => ({
  ...row,
  rules: rules as unknown as readonly Rule[],
});

import { queryIn, lockName, type Db, type Tx } from '../../platform/database/db.ts';
import type { ThreeDSScenario as Row } from '../../platform/generated/prisma/client.ts';
import { isUuid } from '../../platform/ids.ts';
import type { ThreeDSOutcome } from './outcome.ts';
import type { ThreeDSScenario } from './scenario.ts';
import { prepareFile } from '../../platform/database/statement.ts';

/** Reads the merchant account's scenarios in their order. They are few, see SCENARIOS_MAX. */
export async function readScenarios(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
): Promise<readonly ThreeDSScenario[]> {
  return await readInOrder(prisma, merchantAccountId);
}

/**
 * Reads the scenarios in their order and locks them until the transaction ends. Each create, change, move and delete
 * calls this first, so that there is only one order at any moment.
 */
export async function lockScenarios(tx: Tx, merchantAccountId: string): Promise<readonly ThreeDSScenario[]> {
  await lockName(tx, `three_ds_scenario.position ${merchantAccountId}`);
  return await readInOrder(tx, merchantAccountId);
}

/** Reads the merchant account's scenarios of these ids, in no order. Unknown ids are left out. */
export async function findScenariosByIds(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly ThreeDSScenario[]> {
  const rows = await prisma.threeDSScenario.findMany({
    where: { merchantAccountId, id: { in: ids.filter((id) => isUuid(id)) } },
  });
  return rows.map(fromRow);
}

/** Inserts a scenario. The scenarios must be locked, and its position must follow the last one. */
export async function insertScenario(tx: Tx, scenario: ThreeDSScenario): Promise<void> {
  await tx.threeDSScenario.create({ data: toRow(scenario) });
}

/** Overwrites a locked scenario, except for its position, see writeOrder. */
export async function replaceScenario(tx: Tx, scenario: ThreeDSScenario): Promise<void> {
  const { merchantAccountId, id, position: _position, ...data } = toRow(scenario);
  await tx.threeDSScenario.updateMany({ where: { merchantAccountId, id }, data });
}

/** Removes a locked scenario. Those behind it keep their positions until `writeOrder`. */
export async function removeScenario(tx: Tx, { merchantAccountId, id }: ThreeDSScenario): Promise<void> {
  await tx.threeDSScenario.deleteMany({ where: { merchantAccountId, id } });
}

const orderStatement = prepareFile(import.meta, 'order-three-ds-scenarios.sql');

/** Numbers the scenarios from 1 in the given order, in one statement. `ids` must name all scenarios, locked. */
export async function writeOrder(tx: Tx, merchantAccountId: string, ids: readonly string[]): Promise<void> {
  await queryIn(tx).query(orderStatement({ account: merchantAccountId, ids }));
}

async function readInOrder(prisma: Tx, merchantAccountId: string): Promise<readonly ThreeDSScenario[]> {
  const rows = await prisma.threeDSScenario.findMany({
    where: { merchantAccountId },
    orderBy: { position: 'asc' },
  });
  return rows.map(fromRow);
}

const toRow = ({ conditions: { cardNumber, ...conditions }, outcome, ...columns }: ThreeDSScenario): Row => ({
  ...columns,
  ...conditions,
  ...outcome,
  cardBin: cardNumber?.bin ?? null,
  cardLastFour: cardNumber?.lastFour ?? null,
  cardFingerprint: cardNumber?.fingerprint ?? null,
});

/** Converts a row. `toRow` wrote the columns of the outcome, and the database checks them. */
function fromRow(row: Row): ThreeDSScenario {
  const { id, merchantAccountId, position, createdAt, updatedAt } = row;
  const { firstName, lastName, emailAddress, amount, externalIdentifier } = row;
  const { cardBin: bin, cardLastFour: lastFour, cardFingerprint: fingerprint } = row;
  const cardNumber = bin === null ? null : { bin, lastFour, fingerprint };
  const { enrollment, version, authentication, challengeResult } = row;
  return {
    ...{ id, merchantAccountId, position, createdAt, updatedAt },
    conditions: { firstName, lastName, emailAddress, amount, externalIdentifier, cardNumber },
    outcome: { enrollment, version, authentication, challengeResult } as ThreeDSOutcome,
  };
}

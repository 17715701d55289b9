import type { Db, Tx } from '../../../platform/database/db.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Circuit } from './circuit.ts';

/** Inserts an opened circuit. Returns false and writes nothing if the circuit of the service is open already. */
export async function insertCircuit(tx: Tx, circuit: Circuit): Promise<boolean> {
  const { count } = await tx.paymentServiceCircuit.createMany({ data: [circuit], skipDuplicates: true });
  return count === 1;
}

/**
 * Writes a changed circuit over the version on which the change was decided. Returns false and writes nothing if the circuit has
 * changed or closed since.
 */
export async function replaceCircuit({ prisma }: Db, before: Circuit, after: Circuit): Promise<boolean> {
  const { version, tryAgainAt, failedTrials, answeredTrials } = after;
  const { count } = await prisma.paymentServiceCircuit.updateMany({
    where: versionOf(before),
    data: { version, tryAgainAt, failedTrials, answeredTrials },
  });
  return count === 1;
}

/** Removes a circuit at its version. Returns false if the circuit has changed or closed since. */
export async function removeCircuit(tx: Tx, circuit: Circuit): Promise<boolean> {
  const { count } = await tx.paymentServiceCircuit.deleteMany({ where: versionOf(circuit) });
  return count === 1;
}

const versionOf = ({ merchantAccountId, paymentServiceId, id, version }: Circuit) => ({
  merchantAccountId,
  paymentServiceId,
  id,
  version,
});

/** Reads the open circuits of payment services, in no order. */
export const readCircuits = ({ prisma }: Db, account: string, ids: readonly string[]): Promise<Circuit[]> =>
  prisma.paymentServiceCircuit.findMany({
    where: { merchantAccountId: account, paymentServiceId: { in: ids.filter((id) => isUuid(id)) } },
  });

import { reconcileDue } from '../../src/modules/transactions/index.ts';
import type { Harness, Payload } from './harness.ts';

/** The queried fields of operations with an unknown outcome. */
export type UnresolvedOperation = {
  readonly id: string;
  readonly paymentServiceKey: string;
  readonly kind: string;
  readonly status: string;
  readonly transactionId: string;
  readonly attempts: number;
  readonly errorCode: string | null;
  readonly paymentServiceReference: string | null;
  readonly unknown: {
    readonly cause: string;
    readonly since: string;
    readonly nextAttemptAt: string | null;
  } | null;
};

export type Resolved = Pick<Payload, 'transaction' | 'userErrors'> & {
  readonly operation: UnresolvedOperation | null;
};

const OPERATION = `{ id paymentServiceKey kind status transactionId attempts errorCode paymentServiceReference
  unknown { cause since nextAttemptAt } }`;

/** Reads a page of the operations with an unknown outcome, newest first. */
export async function unresolved(
  harness: Harness,
  args = 'first: 100',
): Promise<readonly UnresolvedOperation[]> {
  const { list } = await harness.ask<{ list: { nodes: readonly UnresolvedOperation[] } }>(
    `{ list: unresolvedOperations(${args}) { nodes ${OPERATION} } }`,
  );
  return list.nodes;
}

/** Reads the only operation with an unknown outcome on a transaction, or null. */
export async function unresolvedOn(
  harness: Harness,
  transactionId: string,
): Promise<UnresolvedOperation | null> {
  const all = await unresolved(harness);
  return all.find((operation) => operation.transactionId === transactionId) ?? null;
}

/** Returns the key under which the provider knows an operation. */
export async function keyAtProvider(harness: Harness, operationId: string | undefined): Promise<string> {
  const { prisma } = harness.server.app.db;
  const operation = await prisma.operation.findFirst({ where: { id: operationId ?? '' } });
  if (!operation) throw new Error('No such operation');
  return operation.providerKey ?? operation.id;
}

/** Resolves an operation by hand. */
export const resolve = async (
  harness: Harness,
  id: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Resolved> =>
  (
    await harness.ask<{ payload: Resolved }>(
      `mutation ($id: ID!, $input: ResolveOperationInput!) { payload: resolveOperation(id: $id, input: $input) {
        operation ${OPERATION}
        transaction { id status authorizedAmount capturedAmount refundedAmount capturable { amount } refundable { amount } errorCode }
        userErrors { __typename code message path ... on OperationNotUnresolved { status } } } }`,
      { id, input },
    )
  ).payload;

/** Advances the clock, then reconciles until nothing is due. */
export async function reconcileAfter(harness: Harness, ms: number): Promise<void> {
  await harness.pass(ms);
  while (await reconcileDue(harness.server.app));
}

/** Reads the history of a transaction, oldest first. */
export async function historyOf(
  harness: Harness,
  transactionId: string,
): Promise<readonly { readonly name: string; readonly context: Readonly<Record<string, unknown>> }[]> {
  const { transaction } = await harness.ask<{
    transaction: { events: { nodes: { name: string; context: Record<string, unknown> }[] } };
  }>('query ($id: ID!) { transaction(id: $id) { events { nodes { name context } } } }', {
    id: transactionId,
  });
  return transaction.events.nodes.toReversed();
}

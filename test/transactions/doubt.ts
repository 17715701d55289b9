import { reconcileDue } from '../../src/modules/transactions/index.ts';
import type { Harness, Payload } from './harness.ts';

/** The queried fields of operations with an unknown outcome. */
export type Doubtful = {
  readonly id: string;
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

export type Resolved = Pick<Payload, 'transaction' | 'userErrors'> & { readonly operation: Doubtful | null };

const OPERATION = `{ id kind status transactionId attempts errorCode paymentServiceReference
  unknown { cause since nextAttemptAt } }`;

/** Reads a page of the operations with an unknown outcome, newest first. */
export async function unresolved(house: Harness, args = 'first: 100'): Promise<readonly Doubtful[]> {
  const { list } = await house.ask<{ list: { nodes: readonly Doubtful[] } }>(
    `{ list: unresolvedOperations(${args}) { nodes ${OPERATION} } }`,
  );
  return list.nodes;
}

/** Reads the only operation with an unknown outcome on a transaction, or null. */
export async function doubtOn(house: Harness, transactionId: string): Promise<Doubtful | null> {
  const all = await unresolved(house);
  return all.find((operation) => operation.transactionId === transactionId) ?? null;
}

/** Resolves an operation by hand. */
export const resolve = async (
  house: Harness,
  id: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Resolved> =>
  (
    await house.ask<{ payload: Resolved }>(
      `mutation ($id: ID!, $input: ResolveOperationInput!) { payload: resolveOperation(id: $id, input: $input) {
        operation ${OPERATION}
        transaction { id status authorizedAmount capturedAmount refundedAmount capturable { amount } refundable { amount } errorCode }
        userErrors { __typename code message path ... on OperationNotInDoubt { status } } } }`,
      { id, input },
    )
  ).payload;

/** Advances the clock, then reconciles until nothing is due. */
export async function reconcileAfter(house: Harness, ms: number): Promise<void> {
  await house.pass(ms);
  while (await reconcileDue(house.server.app));
}

/** Reads the history of a transaction, oldest first. */
export async function historyOf(
  house: Harness,
  transactionId: string,
): Promise<readonly { readonly name: string; readonly context: Readonly<Record<string, unknown>> }[]> {
  const { transaction } = await house.ask<{
    transaction: { events: { nodes: { name: string; context: Record<string, unknown> }[] } };
  }>('query ($id: ID!) { transaction(id: $id) { events { nodes { name context } } } }', {
    id: transactionId,
  });
  return transaction.events.nodes.toReversed();
}

import type { Arguments, Harness, Payload, SendOptions } from './harness.ts';
import type { Scenario } from './scenarios.ts';

/** A key of the maximum length. */
export const KEY = 'k'.repeat(255);

/** Prepares one scenario in a new merchant account, up to its first request. */
export async function begin(
  harness: Harness,
  mutation: string,
  { makes, given }: Scenario,
  tenant?: Awaited<ReturnType<Harness['tenant']>>,
) {
  const own = tenant ?? (await harness.tenant());
  const { input, alike, other, refused } = await given(harness, own);
  return {
    input,
    alike: alike ?? input,
    other: async () => (typeof other === 'function' ? other() : other),
    refused: async () => (typeof refused === 'function' ? refused() : refused),
    tenant: own,
    send: (input: Arguments, options: SendOptions = {}) =>
      own.send(mutation, input, { key: KEY, ...options }),
    count: () => makes.count(harness, own),
    keys: async () =>
      (
        await harness.rows(
          'SELECT 1 FROM idempotency_key WHERE merchant_account_id = $1 AND operation = $2',
          own.id,
          mutation,
        )
      ).length,
  };
}

/** Returns the text of an answer without the parts that mark a replay. */
export const textOf = (payload: Payload, { shownOnce }: Scenario): string =>
  JSON.stringify({ ...payload, replayed: null, ...(shownOnce && { [shownOnce]: null }) });

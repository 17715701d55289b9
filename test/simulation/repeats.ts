import { mutationOf, type Requested, type Client, type Heard } from './client.ts';
import { MERCHANTS } from './harness.ts';
import { PROCESSES } from './plan.ts';

/** A repeat of a request under a used key, after the history. Each answer is compared with the record of the key. */
export type Repeat = { readonly requested: Requested; readonly heard: Heard };

/**
 * Repeats every request whose key is in use, from several processes. The last request is repeated twice. `used` lists
 * these keys as merchant account, mutation and key.
 */
export async function askAgain(client: Client, used: readonly string[]): Promise<readonly Repeat[]> {
  const different = new Map(client.exchanges.map(({ requested }) => [JSON.stringify(requested), requested]));
  const repeated = [...different.values()].filter(
    ({ kind, key, merchant }) =>
      key !== null && used.includes(`${MERCHANTS[merchant].id} ${mutationOf(kind)} ${key}`),
  );
  const again = [...repeated, ...repeated.slice(-1)];
  return await Promise.all(
    again.map(async (requested, number) => ({
      requested,
      heard: await client.ask(number % PROCESSES, requested),
    })),
  );
}

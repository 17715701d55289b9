import { mutationOf, type Asked, type Client, type Heard } from './client.ts';
import { MERCHANTS } from './house.ts';
import { PROCESSES } from './plan.ts';

/** A repeat of a request under a used key, after the history. Each answer is compared with the record of the key. */
export type Repeat = { readonly asked: Asked; readonly heard: Heard };

/**
 * Repeats every request whose key is in use, from several processes. The last request is repeated twice. `used` lists
 * these keys as merchant account, mutation and key.
 */
export async function askAgain(client: Client, used: readonly string[]): Promise<readonly Repeat[]> {
  const different = new Map(client.exchanges.map(({ asked }) => [JSON.stringify(asked), asked]));
  const repeated = [...different.values()].filter(
    ({ kind, key, merchant }) =>
      key !== null && used.includes(`${MERCHANTS[merchant].id} ${mutationOf(kind)} ${key}`),
  );
  const again = [...repeated, ...repeated.slice(-1)];
  return await Promise.all(
    again.map(async (asked, number) => ({ asked, heard: await client.ask(number % PROCESSES, asked) })),
  );
}

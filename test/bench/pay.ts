import type { ServerProcess } from '../support/process.ts';
import { openConnection, type Connection } from './connection.ts';
import { operate, orderOf } from './money-rates.ts';

/** Opens so many connections, to the servers in turn. */
export const openLanes = (
  servers: readonly Pick<ServerProcess, 'url'>[],
  token: string,
  lanes: number,
): Promise<readonly Connection[]> =>
  Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      openConnection(servers[lane % servers.length]?.url ?? '', token),
    ),
  );

/** Authorises and captures so many payments, each over the next free lane. */
export async function payAll(lanes: readonly Connection[], number: number): Promise<void> {
  let left = number;
  await Promise.all(
    lanes.map(async (lane) => {
      while (left > 0) {
        left -= 1;
        const id = await operate(lane, orderOf('authorize', ''));
        await operate(lane, orderOf('capture', id));
      }
    }),
  );
}

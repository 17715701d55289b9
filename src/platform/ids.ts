import { randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** The source of ids and random bytes. Tests and simulations replace it. */
export type Ids = {
  /** Returns a UUID v7, which sorts by creation. */
  uuid(): string;
  /** Returns unguessable bytes. */
  random(bytes: number): Buffer;
};

/** Random bytes for so many ids are drawn at once. Each request has an id, and a draw costs more than the rest of it. */
const IDS_DRAWN = 256;

export const systemIds: Ids = { uuid: createUuids(), random: (bytes) => randomBytes(bytes) };

/** Returns the source of the UUIDs of this process. They sort in the order in which they were made. */
function createUuids(): () => string {
  const drawn = new Uint8Array(16 * IDS_DRAWN);
  let used = drawn.length;
  let msecs = 0;
  let seq = 0;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    const random = drawn.subarray(used, (used += 16));
    const now = Date.now();
    if (now > msecs) {
      msecs = now;
      // Leaves the upper half of the numbers of a millisecond for the ids that follow in it.
      seq = new DataView(random.buffer, random.byteOffset).getUint32(6) >>> 1;
    } else {
      seq += 1;
    }
    return v7({ random, msecs, seq });
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns true for a UUID. Any other text names no record and must not reach a uuid column. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Returns the record of each id, in the order of the ids. Null for an id without a record. The case of an id does not matter. */
export function inOrderOf<Found extends { readonly id: string }>(
  ids: readonly string[],
  found: readonly Found[],
): readonly (Found | null)[] {
  const byId = new Map(found.map((each) => [each.id, each]));
  // Postgres accepts a UUID in either case and returns lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}

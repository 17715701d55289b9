import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** The source of ids and random bytes. Tests and simulations replace it. */
export type Ids = {
  /** Returns a UUID v7, which sorts by creation. */
  uuid(): string;
  /** Returns unguessable bytes. */
  random(bytes: number): Buffer;
};

export const systemIds: Ids = { uuid: () => v7(), random: (bytes) => randomBytes(bytes) };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns true for a UUID. Any other text names no record and must not reach a uuid column. */
export const isUuid = (text: string): boolean => UUID.test(text);

import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** Ids and randomness for the whole house, so that a test or a simulation can own them. */
export type Ids = {
  /** A UUID v7: sorts by creation. */
  uuid(): string;
  /** Unguessable bytes. */
  random(bytes: number): Buffer;
};

export const systemIds: Ids = { uuid: () => v7(), random: (bytes) => randomBytes(bytes) };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID; anything else names no record and must not reach a uuid column. */
export const isUuid = (text: string): boolean => UUID.test(text);

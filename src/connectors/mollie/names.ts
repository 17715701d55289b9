import { isObject, isUuid } from '../door.ts';

/** The field of the metadata that has our key. Mollie keeps the metadata of payments, captures and refunds. */
const OPERATION = 'paygraph_operation';

/** Writes our key as metadata. */
export const metadataOf = (key: string): Readonly<Record<string, string>> => ({ [OPERATION]: key });

/** Reads our key. Null for the metadata of another system. */
export function operationOf(metadata: unknown): string | null {
  const key = isObject(metadata) ? metadata[OPERATION] : null;
  return typeof key === 'string' && isUuid(key) ? key : null;
}

/** A place in Postgres' log of writes, in bytes. A server at that place has every write before it. */
export type Position = bigint;

/** The header, and the member of a websocket message's `extensions`, that name a position. */
export const POSITION_HEADER = 'paygraph-position';
export const POSITION_EXTENSION = 'position';

/** Reads a position in the form of Postgres, such as `1A/3000148`. Null for any other text. */
export function readPosition(text: string): Position | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) return null;
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

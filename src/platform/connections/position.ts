/**
 * A place in Postgres' log of writes. A server of the same or a later timeline that has replayed the bytes has every write before
 * the place. Each promotion of a standby begins a timeline.
 */
export type Position = { readonly timeline: number; readonly bytes: bigint };

/** The header, and the member of a websocket message's `extensions`, that name a position. */
export const POSITION_HEADER = 'paygraph-position';
export const POSITION_EXTENSION = 'position';

/** Any state of a replica is as new as this position. */
const ANY = '0';

/** Reads the text of a position, such as `1-1A/3000148`, or `0`. Null for any other text. */
export function readPosition(text: string): Position | null {
  if (text === ANY) return { timeline: 0, bytes: 0n };
  const [, timeline, lsn = ''] = /^(\d{1,10})-(.+)$/.exec(text) ?? [];
  const bytes = readLsn(lsn);
  return timeline === undefined || bytes === null ? null : { timeline: Number(timeline), bytes };
}

/** Reads bytes in the form of Postgres, such as `1A/3000148`. */
export function readLsn(text: string): bigint | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) return null;
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Returns true if a server at `place` has every write before `wanted`. */
export const reaches = (place: Position, wanted: Position): boolean =>
  place.timeline >= wanted.timeline && place.bytes >= wanted.bytes;

import { UsageError } from '../exit-code.ts';

/** Reads the number of a version. Null if none is given. */
export function readNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError('--number: must be the number of a version, from 1.');
}

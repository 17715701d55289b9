import { UsageError } from '../exit-code.ts';

/** Reads the number of a version. Null if none is given. */
export function readNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError('--number: must be the number of a version, from 1.');
}

/** Reads the moment of an option as ISO text. Null if none is given. */
export function readMoment(option: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const moment = new Date(text);
  if (!Number.isNaN(moment.getTime())) return moment.toISOString();
  throw new UsageError(`${option}: must be a moment such as 2026-01-31T08:00:00Z.`);
}

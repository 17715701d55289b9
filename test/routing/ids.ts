import { createHash } from 'node:crypto';

/** Returns ids that differ as those of payments do, and are the same in each run. */
export const idOf = (nth: number): string =>
  createHash('sha256')
    .update(`payment ${nth}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

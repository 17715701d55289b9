import { createHash } from 'node:crypto';

/** Returns the same master key for the same number. No test needs a secret one, and the service refuses a guessable one. */
export const masterKeyOf = (number: number): Buffer =>
  createHash('sha256').update(`master key ${number}`).digest();

/** The same as a setting. */
export const masterKeyText = (number: number): string => masterKeyOf(number).toString('base64');

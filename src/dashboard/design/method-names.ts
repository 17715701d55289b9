export { METHOD_NAMES } from '../generated/method-names.ts';

/** Writes a word without a name of its own: `carte-bancaire` as `Carte bancaire`. */
export const spell = (word: string): string =>
  (word.slice(0, 1).toUpperCase() + word.slice(1)).replaceAll(/[-_]/g, ' ');

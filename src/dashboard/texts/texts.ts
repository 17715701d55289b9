import { english } from './english.ts';

/** The texts of a language: the keys of English, with the same values in each sentence. */
export type Texts = Widened<typeof english>;

/** Replaces each text by any text, so that another language can have it. */
type Widened<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Widened<T[K]>;
};

/** The texts of the person's language. English is the only language so far. */
export const texts: Texts = english;

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The shape of a parameter. `empty` is the empty text with which Stripe unsets a value. */
export type Shape =
  | 'string'
  | 'integer'
  | 'boolean'
  | 'empty'
  | { readonly enum: readonly string[] }
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly either: readonly Shape[] }
  | { readonly object: Readonly<Record<string, Shape>>; readonly required?: readonly string[] }
  | { readonly ref: string };

/** The parameters of every call, and the shapes that they name. */
export type Parameters = {
  readonly calls: Readonly<Record<string, Shape>>;
  readonly shapes: Readonly<Record<string, Shape>>;
};

export const PARAMETERS_FILE = join(import.meta.dirname, 'parameters.json');

export const readParameters = (): Parameters =>
  JSON.parse(readFileSync(PARAMETERS_FILE, 'utf8')) as Parameters;

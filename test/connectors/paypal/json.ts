import { join } from 'node:path';

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A JSON schema, in the words of the draft of 2020. */
export type Schema = { readonly [word: string]: Json };

/** The schemas of the requests, as `write-schemas.ts` writes them. */
export const SCHEMAS_FILE = join(import.meta.dirname, 'schemas.json');

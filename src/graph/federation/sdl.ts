import { readFileSync } from 'node:fs';
import { parse } from 'graphql';
import type { Composed } from './composition.ts';

/** The subgraphs of the service. */
export const SUBGRAPHS: readonly string[] = [
  'accounts',
  'payment-services',
  'payment-methods',
  'three-ds',
  'transactions',
  'disputes',
  'settlements',
  'payment-links',
  'events',
];

/** Returns the SDL of a subgraph by its name. */
export type SdlOf = (subgraph: string) => string;

/** Reads the SDL of one of our subgraphs. The shared definitions come first. */
export const readSdl: SdlOf = (subgraph) => `${schemaFile('common')}\n${schemaFile(subgraph)}`;

/**
 * Reads the composed schemas that are committed, instead of composing them at each start. A test holds them against a fresh
 * composition.
 */
export function readComposed(): Composed {
  const apiSdl = schemaFile('api');
  return { api: parse(apiSdl), apiSdl, supergraphSdl: schemaFile('supergraph') };
}

/** The address of a file in `schema/`. */
export const schemaUrl = (name: string): URL => new URL(`../../../schema/${name}.graphql`, import.meta.url);

const schemaFile = (name: string): string => readFileSync(schemaUrl(name), 'utf8');

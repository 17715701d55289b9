import { readFileSync } from 'node:fs';
import { parse } from 'graphql';
import type { Composed } from './composition.ts';

/** The subgraphs of the service. */
export const SUBGRAPHS: readonly string[] = [
  'accounts',
  'payment-services',
  'payment-methods',
  'three-ds',
  'routing',
  'transactions',
  'disputes',
  'settlements',
  'reports',
  'payment-links',
  'events',
  'exports',
];

/** The files that several subgraphs share beside the common one. A filter of a list is also the filter of its export. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  accounts: ['audit-log-filter'],
  events: ['event-target'],
  exports: ['transaction-filter', 'settlement-filter', 'event-target', 'audit-log-filter'],
  settlements: ['settlement-filter'],
  transactions: ['transaction-filter'],
};

/** Returns the names of the files that define a subgraph. The shared definitions come first. */
export const sdlFiles = (subgraph: string): readonly string[] => [
  'common',
  ...(SHARED[subgraph] ?? []),
  subgraph,
];

/** Returns the SDL of a subgraph by its name. */
export type SdlOf = (subgraph: string) => string;

/** Reads the SDL of one of our subgraphs. */
export const readSdl: SdlOf = (subgraph) => sdlFiles(subgraph).map(schemaFile).join('\n');

/**
 * Reads the composed schemas that are committed, instead of composing them at each start. A test holds them against a fresh
 * composition.
 */
export function readComposed(): Composed {
  const apiSdl = schemaFile('api');
  return { api: parse(apiSdl, { noLocation: true }), apiSdl, supergraphSdl: schemaFile('supergraph') };
}

/** The address of a file in `schema/`. */
export const schemaUrl = (name: string): URL => new URL(`../../../schema/${name}.graphql`, import.meta.url);

const schemaFile = (name: string): string => readFileSync(schemaUrl(name), 'utf8');

import { readFileSync } from 'node:fs';

/** The subgraphs of the service. */
export const SUBGRAPHS: readonly string[] = [
  'accounts',
  'payment-services',
  'payment-methods',
  'three-ds',
  'transactions',
  'payment-links',
  'events',
];

/** Gives the SDL of a subgraph by its name. */
export type SdlOf = (subgraph: string) => string;

/** The SDL of one of our subgraphs: what all share, then its own file. */
export const readSdl: SdlOf = (subgraph) => `${schemaFile('common')}\n${schemaFile(subgraph)}`;

/** Where a file of the contract lies. */
export const schemaUrl = (name: string): URL => new URL(`../../../schema/${name}.graphql`, import.meta.url);

const schemaFile = (name: string): string => readFileSync(schemaUrl(name), 'utf8');

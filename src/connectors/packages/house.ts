import { VERSION } from '../../platform/process/version.ts';
import type { PackageName } from '../interface/definition.ts';

/** The package of the connectors in this repository. */
export const HOUSE: PackageName = { name: 'paygraph', version: VERSION };

/** Returns the package whose connector serves a definition. */
export const packageOf = (definition: { readonly package?: PackageName }): PackageName =>
  definition.package ?? HOUSE;

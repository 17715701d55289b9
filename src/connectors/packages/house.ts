import { VERSION } from '../../platform/process/version.ts';
import type { PackageName } from '../interface/definition.ts';

/** The package of the connectors in this repository. */
export const HOUSE: PackageName = { name: 'paygraph', version: VERSION };

/** Returns the package whose connector serves a definition. */
export const packageOf = (definition: { readonly package?: PackageName }): PackageName =>
  definition.package ?? HOUSE;

/** Returns the package of a definition as the audit log shows it, as name@version. Null for the connectors of Paygraph. */
export const packageText = ({ package: from }: { readonly package?: PackageName }): string | null =>
  from ? `${from.name}@${from.version}` : null;

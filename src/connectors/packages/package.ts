import type { AntiFraudConnector } from '../anti-fraud/connector.ts';
import type { Connector } from '../interface/connector.ts';
import type { Feature } from '../interface/definition.ts';

/** The version of the interface between Paygraph and the packages of connectors. */
export const INTERFACE_VERSION = 1;

/** The default export of a package of connectors. */
export type ConnectorPackage = {
  readonly interface: typeof INTERFACE_VERSION;
  readonly connectors: readonly PackagedConnector[];
  readonly antiFraud?: readonly PackagedAntiFraud[];
};

/** A connector of a package, with the promises that Paygraph checks at its start. */
export type PackagedConnector = Connector & {
  readonly hosts: DeclaredHosts;
  /** The features that a test of the package proves. A definition turns on no others. */
  readonly tested: readonly Feature[];
};

/** A third party of a package that checks payments for fraud. */
export type PackagedAntiFraud = AntiFraudConnector & { readonly hosts: DeclaredHosts };

/**
 * The hosts that a connector may reach in each environment, such as `api.acme.example`.
 *
 * - A host that begins with a dot stands for all hosts below it.
 * - A host may have a port other than 443 and 80. `127.0.0.1:*` stands for all ports.
 */
export type DeclaredHosts = Readonly<Record<'production' | 'sandbox', readonly string[]>>;

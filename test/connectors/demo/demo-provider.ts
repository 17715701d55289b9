import type { CallContext, Credentials } from '../../../src/connectors/interface/call-context.ts';
import type { Connector } from '../../../src/connectors/interface/connector.ts';
import type { AuthorizeRequest } from '../../../src/connectors/interface/requests.ts';
import type { DoubleWebhook } from '../double-server.ts';

/** A provider whose story the demo tells. */
export type DemoProvider = {
  readonly name: string;
  readonly definitionId: string;
  readonly currency: string;
  /** The variables of the environment with the credentials of a test account, by the field that each fills. */
  readonly variables: Readonly<Record<string, string>>;
  /** Fields with the same value at the double and at the provider. */
  readonly fixed?: Credentials;
  /** Says why the credentials are not those of a test account. Null if nothing speaks against them. */
  refuse(credentials: Credentials): string | null;
  /** The connector to the provider itself, which calls the test environment in a sandbox. */
  readonly connector: Connector;
  /** The fields of a request that pays, and of one that is declined. Null if the buyer decides on a page. */
  readonly paying: Partial<AuthorizeRequest>;
  readonly declined: Partial<AuthorizeRequest> | null;
  /** Settles the capture of a payment in the test environment. Absent if a capture can be refunded at once. */
  settle?(context: CallContext, reference: string): Promise<void>;
  openDouble(): Promise<DoubleSide>;
};

/** The double of a provider, with a connector that calls the double. */
export type DoubleSide = {
  readonly connector: Connector;
  readonly credentials: Credentials;
  /** Takes the webhooks that the double owes. `material` is the text that their check needs. */
  webhooks(): readonly (DoubleWebhook & { readonly material?: string })[];
  /** Lets the buyer approve. Returns the parameters of the return. */
  approve(key: string): Readonly<Record<string, string>>;
  /** Settles the capture of a payment. Absent if a capture can be refunded at once. */
  settle?(reference: string): void;
  close(): Promise<void>;
};

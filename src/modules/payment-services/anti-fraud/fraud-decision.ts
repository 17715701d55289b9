import type { Checked } from '../../../connectors/anti-fraud/call.ts';

/**
 * The decision of a check and the service that was to make it. With `no_connector` the definition does not work here, so
 * nobody was called. Either no connector has the definition, or it is for the sandbox only. The interface version is then
 * `none`.
 */
export type FraudDecision = Omit<Checked, 'cause'> & {
  readonly cause: Checked['cause'] | 'no_connector';
  readonly antiFraudServiceId: string;
};

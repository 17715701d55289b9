import type { Checked } from '../../../connectors/anti-fraud/call.ts';

/**
 * What became of the check of a transaction, and who was to be asked. `no_connector`: nobody could be, for the definition of the
 * service does not work here: no connector has it, or it is for the sandbox only; the version of the interface is then `none`.
 */
export type FraudDecision = Omit<Checked, 'cause'> & {
  readonly cause: Checked['cause'] | 'no_connector';
  readonly antiFraudServiceId: string;
};

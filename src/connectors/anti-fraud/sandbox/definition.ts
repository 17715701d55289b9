import { sandboxFields } from '../../sandbox/definitions.ts';
import type { AntiFraudDefinition } from '../connector.ts';

/** The sandbox's third party, which the buyer's e-mail address tells what to say (facts 8.5). */
export const mockAntiFraud: AntiFraudDefinition = {
  id: 'mock-anti-fraud',
  displayName: 'Sandbox anti-fraud',
  fields: sandboxFields,
  interfaceVersion: '2.1',
  newerInterfaceVersion: '10.2',
  sandboxOnly: true,
};

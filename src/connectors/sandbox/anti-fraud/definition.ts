import { sandboxFields } from '../definitions.ts';
import type { AntiFraudDefinition } from '../../door.ts';

/** The sandbox's third party. The buyer's e-mail address chooses the decision. */
export const mockAntiFraud: AntiFraudDefinition = {
  id: 'mock-anti-fraud',
  displayName: 'Sandbox anti-fraud',
  fields: sandboxFields,
  interfaceVersion: '2.1',
  newerInterfaceVersion: '10.2',
  sandboxOnly: true,
};

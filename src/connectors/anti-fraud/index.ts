import type { AntiFraudConnector } from './connector.ts';
import { forter } from '../forter/index.ts';
import { sandboxAntiFraud } from '../sandbox/anti-fraud/index.ts';

/** Every third party that an anti-fraud service can be configured for. */
export const antiFraudConnectors: readonly AntiFraudConnector[] = [sandboxAntiFraud, forter];

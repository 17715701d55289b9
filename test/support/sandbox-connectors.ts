import type { Connector } from '../../src/connectors/interface/connector.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';

/**
 * The connectors of a test server. Real providers have longer deadlines, and the longest deadline decides how soon recovery
 * takes over. Their own tests give them.
 */
export const sandboxConnectors: readonly Connector[] = [sandbox];

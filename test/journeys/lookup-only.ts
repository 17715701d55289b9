import type { Recovery } from '../../src/connectors/interface/connector.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';

// A server process imports this file before it starts. For that server the sandbox's provider remembers no keys and
// answers look-ups only. A request that has not arrived within a second never arrives.

const recovery: Recovery = { kind: 'lookup', quiescenceMs: 1_000 };

Object.assign(sandbox, { recovery });

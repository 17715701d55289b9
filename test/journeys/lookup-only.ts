import type { Recovery } from '../../src/connectors/connector.ts';
import { sandbox } from '../../src/connectors/sandbox/index.ts';

// Imported into a server process before it starts: to it the sandbox's provider remembers no keys, and can only be asked what
// became of an operation. What has not arrived a second after it was sent will not arrive any more.

const recovery: Recovery = { kind: 'lookup', quiescenceMs: 1_000 };

Object.assign(sandbox, { recovery });

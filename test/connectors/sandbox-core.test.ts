import { describeCore } from './core-contract.ts';
import { comparing, receiving } from './sandbox-subject.ts';

const direct = { definition: 'mock-acquirer', pays: 'by card' } as const;
const away = { definition: 'mock-redirect', pays: { redirect: { method: 'ideal' } } };

describeCore({ subject: comparing, direct, away });
describeCore({ subject: receiving, direct, away });

import { describeCore } from './core-contract.ts';
import { comparing, receiving } from './sandbox-subject.ts';

const away = { definition: 'mock-redirect', method: 'ideal' };

describeCore({ subject: comparing, card: 'mock-acquirer', away });
describeCore({ subject: receiving, card: 'mock-acquirer', away });

/**
 * The package `paygraph/connector-testing`: the contracts of connectors, and the parts of a double. README.md beside this file
 * describes them. Runs with `node --test`, which needs the package `expect`, and with jest.
 */

export { describeContract } from './contract.ts';
export { DOUBLE_FAULTS, doubleFaults } from './contract-faults.ts';
export {
  withDefinitions,
  type Before,
  type ContractHand,
  type ContractProvider,
  type Decision,
  type Fault,
  type Instruction,
  type Manner,
  type OwedWebhook,
  type Subject,
  type ContractMeans,
  type MeansFeature,
} from './contract-provider.ts';
export { describeWebhookContract, type SignedWebhook, type WebhookSubject } from './webhook-contract.ts';
export {
  describeAbleSettlementContract,
  describeSettlementContract,
  type AbleProvider,
  type SettlementProvider,
  type SettlementSubject,
} from './settlement-contract.ts';
export {
  describeAntiFraudContract,
  type AntiFraudProvider,
  type AntiFraudSubject,
  type CheckTrouble,
  type Judgement,
} from './anti-fraud-contract.ts';
export { describeDisputeContract, type DisputeProvider, type DisputeSubject } from './dispute-contract.ts';

export {
  listenOn,
  MAINTENANCE,
  openLine,
  postWebhooks,
  sentTo,
  type DoubleAnswer,
  type DoubleCore,
  type DoubleEvent,
  type DoubleLine,
  type DoubleRequest,
  type DoubleResponse,
  type DoubleServer,
  type DoubleWebhook,
  type FaultWords,
} from './double-server.ts';
export type { AccountFault, DoubleFault, Faults, FaultTarget, LineFault } from './double-faults.ts';
export {
  findCall,
  known,
  onItsWay,
  openAccount,
  refusedEarly,
  showPage,
  type Account,
  type Spoiling,
} from './kit/account.ts';
export { later, passTime, type Timed } from './kit/agenda.ts';
export { createKeyBook, type Keyed } from './kit/keys.ts';

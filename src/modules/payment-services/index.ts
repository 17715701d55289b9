export type { AntiFraudService, StoredAntiFraudService } from './anti-fraud/anti-fraud-service.ts';
export { checkFraud, type FraudFacts } from './anti-fraud/check.ts';
export { findAskedChecks, type FraudDecision } from './anti-fraud/checks.sql.ts';
export { reportFraud, reportingDefinitions } from './anti-fraud/report.ts';
export type { Circuit } from './circuit/circuit.ts';
export { stateOf } from './circuit/circuit.ts';
export { countOpenCircuits } from './circuit/count-open.sql.ts';
export { findCircuits, findCircuitsOf } from './circuit/find.ts';
export { hearEnd, WELL, type Standing } from './circuit/hear.ts';
export { orderForeseen } from './circuit/order.ts';
export type { CircuitDecision } from './circuit/decision.ts';
export { takeService, type Taken } from './circuit/take.ts';
export { releaseTrial } from './circuit/trial.ts';
export { createAntiFraudService } from './anti-fraud/create.ts';
export { findAntiFraudDefinition, listAntiFraudDefinitions } from './anti-fraud/definitions.ts';
export { deleteAntiFraudService } from './anti-fraud/delete.ts';
export { findAntiFraudServices } from './anti-fraud/find.ts';
export { findReviewReceiver, type ReviewReceiver } from './anti-fraud/find-review-receiver.ts';
export type { CreateAntiFraudServiceInput, UpdateAntiFraudServiceInput } from './anti-fraud/input.ts';
export { listAntiFraudServices } from './anti-fraud/list.ts';
export { updateAntiFraudService } from './anti-fraud/update.ts';
export { longestDeadlineMs, openCall } from './connection/call-context.ts';
export { leaseMsOf, leaseOf, leaseUntil } from './connection/call-lease.ts';
export { findCandidates, findRoute } from './routing/candidates.ts';
export { connectionOf, type Connection } from './connection/connection.ts';
export { createPaymentService } from './services/create.ts';
export {
  acceptanceWindowsOf,
  type AcceptanceWindows,
  definitionsWith,
  findDefinition,
  findProvider,
  listDefinitions,
  smallestAmountOf,
} from './model/definitions.ts';
export { deletePaymentService } from './services/delete.ts';
export {
  explainCandidates,
  type ConsideredPaymentService,
  type RoutingOfServices,
} from './routing/explain.ts';
export type { Field } from './model/fields.ts';
export { findPaymentServices } from './services/find.ts';
export {
  findServiceReceiver,
  findWebhookReceiver,
  type WebhookReceiver,
} from './connection/find-webhook-receiver.ts';
export type { CreatePaymentServiceInput, UpdatePaymentServiceInput } from './services/input.ts';
export type { Intent } from './routing/intent.ts';
export { listPaymentServices } from './services/list.ts';
export { CARD_METHODS, methodsServedBy, servedMethod } from './routing/served-method.ts';
export { asksProvider, takesCardsInClear, type MeansFeature } from './routing/means.ts';
export { CARD_SCHEMES, type CardScheme, type MerchantProfile } from './model/merchant-profile.ts';
export {
  webhookUrlOf,
  type PaymentService,
  type PaymentServiceStatus,
  type ThreeDSecureFallback,
} from './model/payment-service.ts';
export { findConnectionRows, findReadyServices, findServedMethods } from './routing/selectable-services.ts';
export { findStoredAntiFraudService } from './anti-fraud/anti-fraud-services.sql.ts';
export { SERVICES_CHANNEL, type ConnectionRow } from './store.ts';
export type { Payee } from './routing/deciding-version.sql.ts';
export type { Candidate, CandidateFilter, RoutingReason } from './routing/routing.sql.ts';
export { recordPackages } from './services/record-packages.sql.ts';
export { updatePaymentService } from './services/update.ts';
export { verifyPaymentService } from './connection/verify.ts';
export {
  verifyCredentials,
  type CredentialsRefused,
  type VerifyCredentialsInput,
} from './connection/verify-credentials.ts';
export { serviceInputSchemas } from './services/input-schemas.ts';

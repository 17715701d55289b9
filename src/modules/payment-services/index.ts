export type { AntiFraudService, StoredAntiFraudService } from './anti-fraud/anti-fraud-service.ts';
export { checkFraud, type FraudFacts } from './anti-fraud/check.ts';
export type { FraudDecision } from './anti-fraud/fraud-decision.ts';
export { createAntiFraudService } from './anti-fraud/create.ts';
export { findAntiFraudDefinition, listAntiFraudDefinitions } from './anti-fraud/definitions.ts';
export { deleteAntiFraudService } from './anti-fraud/delete.ts';
export { findAntiFraudServices } from './anti-fraud/find.ts';
export { findReviewReceiver } from './anti-fraud/find-review-receiver.ts';
export type { CreateAntiFraudServiceInput, UpdateAntiFraudServiceInput } from './anti-fraud/input.ts';
export { listAntiFraudServices } from './anti-fraud/list.ts';
export { updateAntiFraudService } from './anti-fraud/update.ts';
export { longestDeadlineMs, openCall } from './call-context.ts';
export { leaseMsOf, leaseOf, leaseUntil } from './call-lease.ts';
export { findCandidates, findRoute } from './candidates.ts';
export { connectionOf, type Connection } from './connection.ts';
export { createPaymentService } from './create.ts';
export {
  decisionWindowOf,
  definitionsWith,
  findDefinition,
  findProvider,
  listDefinitions,
} from './definitions.ts';
export { deletePaymentService } from './delete.ts';
export { explainCandidates, type ConsideredPaymentService, type RoutingOfServices } from './explain.ts';
export type { Field } from './fields.ts';
export { findPaymentServices } from './find.ts';
export { findServiceReceiver, findWebhookReceiver, type WebhookReceiver } from './find-webhook-receiver.ts';
export type { CreatePaymentServiceInput, UpdatePaymentServiceInput } from './input.ts';
export type { Intent } from './intent.ts';
export { listPaymentServices } from './list.ts';
export { asksProvider, takesCardsInClear, type MeansFeature } from './means.ts';
export { CARD_SCHEMES, type CardScheme, type MerchantProfile } from './merchant-profile.ts';
export type { PaymentService, PaymentServiceStatus, ThreeDSecureFallback } from './payment-service.ts';
export { findConnectionRows, findReadyServices } from './selectable-services.ts';
export { findStoredAntiFraudService } from './anti-fraud/anti-fraud-services.sql.ts';
export { CONNECTION_COLUMNS, SERVICES_CHANNEL, type ConnectionRow } from './store.ts';
export type { Candidate, CandidateFilter, RoutingReason } from './routing.sql.ts';
export { updatePaymentService } from './update.ts';
export { verifyPaymentService } from './verify.ts';
export {
  verifyCredentials,
  type CredentialsRefused,
  type VerifyCredentialsInput,
} from './verify-credentials.ts';
export { serviceInputSchemas } from './input-schemas.ts';

import { getNullableType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';

const SETS = 'Puts values in place of those that were; said twice, they are the same.';
const ENDS =
  'Ends or removes one record, which happens once; asked again it answers the same, or is refused.';

/**
 * The mutations without a key, each with the reason why a repeated request does no harm. Every other mutation moves
 * money or creates a record, and must do so once for each key.
 */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  updateMerchantAccount: SETS,
  updateApiKeyPair: SETS,
  updateWebhookEndpoint: SETS,
  updateBuyer: SETS,
  updateTransaction: SETS,
  updateShippingDetails: SETS,
  updatePaymentMethod: SETS,
  updatePaymentService: SETS,
  updateAntiFraudService: SETS,
  updateThreeDSScenario: SETS,
  updateRoutingValueSet: SETS,
  moveThreeDSScenario: 'Names the neighbour, not a distance; said twice, the order is the same.',
  deleteWebhookEndpoint: ENDS,
  deleteBuyer: ENDS,
  deleteShippingDetails: ENDS,
  deleteGiftCard: ENDS,
  deletePaymentMethod: ENDS,
  deletePaymentService: ENDS,
  deleteAntiFraudService: ENDS,
  deleteThreeDSScenario: ENDS,
  expirePaymentLink: ENDS,
  cancelReplayJob: ENDS,
  cancelRoutingSimulation: ENDS,
  cancelRoutingActivation: ENDS,
  updateDashboardPerson: SETS,
  endDashboardSession: ENDS,
  inviteDashboardPerson:
    'An address names one person of an account; said twice, the second is refused and names the first.',
  renewDashboardInvitation: 'The latest invitation alone counts; said twice, the former one is void.',
  resolveOperation:
    'Ends the found about an operation once, and calls nobody: the same said again is answered with what stands, anything else is refused.',
  checkGiftCardBalances:
    'Asks providers and moves nothing; asked twice, the later balance is the one to know.',
  createTransactionSession:
    'Makes nothing of its own: it shows what the payment waits with, and asked again it answers the same.',
  approveRefund:
    'Decides once, and the claim gives a request one refund; said again by the same person, it answers with what stands.',
  adoptDifference: ENDS,
  applyUnreadWebhook:
    'Applies each event of a webhook once, by the id of the event; said again, the events are known.',
  dismissDifference: ENDS,
  rejectRefund: ENDS,
  withdrawRefund: ENDS,
  stopRetryPlan: ENDS,
  explainSettlementDifference: SETS,
  verifyCredentials:
    'Asks the provider and stores nothing; asked twice, the later answer is the one to know.',
  verifyPaymentService:
    'Asks the provider and moves nothing; asked twice, the later answer is the one to know.',
  sendTestEvent: 'Stores nothing: a test asked for twice is a test made twice.',
  syncTransaction:
    'Asks about what is pending under the keys that it has already; it starts nothing of its own.',
};

/** Lists the faults in a schema's mutations or in the table of scenarios, as sentences. */
export function faultsOf(
  schema: GraphQLSchema,
  scenarios: readonly string[],
  exceptions: Readonly<Record<string, string>> = EXCEPTIONS,
): string[] {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const isThere = (name: string): boolean => mutations.some((mutation) => mutation.name === name);
  return [
    ...mutations.flatMap((mutation) =>
      Object.hasOwn(exceptions, mutation.name)
        ? faultsInException(mutation, scenarios)
        : faultsIn(mutation, scenarios),
    ),
    ...scenarios.filter((name) => !isThere(name)).map((name) => `${name}: a scenario of no mutation`),
    ...Object.keys(exceptions)
      .filter((name) => !isThere(name))
      .map((name) => `${name}: an exception of no mutation`),
  ];
}

type Mutation = GraphQLField<unknown, unknown>;

const KEY = 'idempotencyKey';

function faultsIn(mutation: Mutation, scenarios: readonly string[]): string[] {
  const { name, args } = mutation;
  const key = args.find((arg) => arg.name === KEY);
  return [
    ...(String(key?.type) === 'String' ? [] : [`${name}: takes no ${KEY}: String`]),
    ...(replayedType(mutation) === 'Boolean!' ? [] : [`${name}: its payload has no replayed: Boolean!`]),
    ...(scenarios.includes(name) ? [] : [`${name}: has no entry in test/idempotency/scenarios.ts`]),
  ];
}

/** A mutation with a key must keep the promise of the key. */
function faultsInException({ name, args }: Mutation, scenarios: readonly string[]): string[] {
  const keeps = scenarios.includes(name) || args.some((arg) => arg.name === KEY);
  return keeps ? [`${name}: an exception that is none`] : [];
}

function replayedType({ type }: Mutation): string {
  const payload = getNullableType(type);
  return isObjectType(payload) ? String(payload.getFields()['replayed']?.type) : '';
}

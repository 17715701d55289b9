import { readFileSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';
import { parse, visit } from 'graphql';
import { sdlFiles as filesOf } from './src/graph/federation/sdl.ts';

/** The domain type of each entity and value that a module returns, by subgraph. Paths are relative to generated/. */
const domainTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  accounts: {
    MerchantAccount: '../../modules/accounts/index.ts#MerchantAccount',
    ApiKeyPair: '../../modules/accounts/index.ts#ApiKeyPair',
    AuditEntry: '../../modules/audit/index.ts#AuditEntry',
    DashboardPerson: '../../modules/people/index.ts#Person',
    DashboardSession: '../../modules/sessions/index.ts#Session',
  },
  'payment-services': {
    PaymentService: '../../modules/payment-services/index.ts#PaymentService',
    PaymentServiceCircuit: '../../modules/payment-services/index.ts#Circuit',
    PaymentServiceDefinition: '../../connectors/interface/definition.ts#Definition',
    AntiFraudService: '../../modules/payment-services/index.ts#AntiFraudService',
    AntiFraudServiceDefinition: '../../connectors/anti-fraud/connector.ts#AntiFraudDefinition',
  },
  'payment-methods': {
    Buyer: '../../modules/payment-methods/index.ts#Buyer',
    BuyerConnection: '../resolvers/pages.ts#BuyerList',
    PaymentMethodConnection: '../resolvers/pages.ts#PaymentMethodList',
    ShippingDetails: '../../modules/payment-methods/index.ts#ShippingDetails',
    PaymentMethod: '../../modules/payment-methods/index.ts#PaymentMethod',
    GiftCard: '../../modules/payment-methods/index.ts#GiftCard',
    GiftCardBalance: '../../modules/payment-methods/index.ts#CheckedBalance',
  },
  'three-ds': {
    ThreeDSScenario: '../../modules/three-ds/index.ts#ThreeDSScenario',
    ThreeDSExplanation: '../../modules/three-ds/index.ts#ThreeDSExplanation',
  },
  routing: {
    RoutingRuleSet: '../../modules/routing/index.ts#RuleSet',
    RoutingRuleSetVersion: '../../modules/routing/index.ts#VersionHead',
    RoutingActivation: '../../modules/routing/index.ts#Activation',
    RoutingValueSet: '../../modules/routing/index.ts#ValueSet',
    RoutingCopiedValueSet: '../resolvers/setup/routing-rules.ts#CopiedValueSet',
    RoutingSimulation: '../../modules/routing-simulations/index.ts#Simulation',
    RoutingSimulationResult: '../../modules/routing-simulations/index.ts#SimulationResult',
    SimulatedMove: '../../modules/routing-simulations/index.ts#Move',
    SimulatedRule: '../../modules/routing-simulations/index.ts#RulePayments',
    SimulatedUnknownGroup: '../../modules/routing-simulations/index.ts#UnknownSegment',
    SimulatedDifference: '../../modules/routing-simulations/index.ts#ResultDifference',
  },
  transactions: {
    Transaction: '../../modules/transactions/index.ts#ShownTransaction',
    Buyer: '../resolvers/payments/transactions.ts#Payer',
    PaymentMethod: '../resolvers/payments/transactions.ts#Payer',
    PaymentService: '../resolvers/payments/transactions.ts#Payer',
    TransactionConnection: '../resolvers/pages.ts#TransactionList',
    Capture: '../../modules/transactions/index.ts#ShownOperation',
    Refund: '../../modules/transactions/index.ts#ShownOperation',
    Difference: '../../modules/transactions/index.ts#Difference',
    UnreadWebhook: '../../modules/transactions/index.ts#UnreadWebhook',
    RetryPlan: '../../modules/transactions/index.ts#RetryPlan',
    RefundApproval: '../../modules/transactions/index.ts#RefundApproval',
    RefundedCapture: '../resolvers/stored-answers.ts#ShownPart',
    Void: '../../modules/transactions/index.ts#ShownOperation',
    Cancel: '../../modules/transactions/index.ts#ShownOperation',
    Operation: '../../modules/transactions/index.ts#ShownOperation',
    AuthorizationAttempt: '../../modules/transactions/index.ts#Operation',
    GiftCardRedemption: '../../modules/transactions/index.ts#Redemption',
    TransactionEvent: '../../modules/transactions/index.ts#HistoryEntry',
    RoutingCandidate: '../../modules/transactions/index.ts#RoutingCandidate',
    CircuitEffect: '../../modules/payment-services/index.ts#CircuitDecision',
    RoutingDecision: '../../modules/transactions/index.ts#ExplainedDecision',
    RoutingComparison: '../../modules/routing/index.ts#Comparison',
    ComparedPaymentService: '../../modules/routing/index.ts#ComparedService',
    PassedOverPaymentService: '../../modules/transactions/index.ts#PassedOver',
    ConsideredPaymentService: '../../modules/payment-services/index.ts#ConsideredPaymentService',
  },
  disputes: {
    Transaction: '../resolvers/payments/disputes.ts#DisputedTransaction',
    Dispute: '../../modules/disputes/index.ts#Dispute',
    DisputeResponse: '../../modules/disputes/index.ts#DisputeResponse',
  },
  settlements: {
    Transaction: '../resolvers/payments/settlements.ts#SettledTransaction',
    TransactionSettlement: '../resolvers/payments/settlements.ts#SettledTransaction',
    PaymentService: '../resolvers/payments/settlements.ts#SettlingService',
    SettlementReporting: '../../modules/settlements/index.ts#SettlementSource',
    Settlement: '../../modules/settlements/index.ts#Settlement',
    SettlementDifference: '../../modules/settlements/index.ts#Settlement',
    SettlementTotal: '../../modules/settlements/index.ts#SettlementTotal',
    Payout: '../../modules/settlements/index.ts#Settlement',
  },
  reports: {
    TransactionReport: '../../modules/reports/index.ts#TransactionReport',
    TransactionReportRow: '../../modules/reports/index.ts#ReportLine',
    ReportSum: '../../modules/reports/index.ts#Sum',
    AmountPercentiles: '../../modules/reports/index.ts#Percentiles',
    AnswerTime: '../../modules/reports/index.ts#Spread',
    WebhookDeliveryTotals: '../../modules/reports/index.ts#DeliveryTotals',
    DeliveryTime: '../../modules/reports/index.ts#Percentiles',
    TopBuyers: '../../modules/reports/index.ts#TopBuyers',
    TopBuyer: '../../modules/reports/index.ts#TopBuyer',
  },
  'payment-links': {
    PaymentLink: '../../modules/payment-links/index.ts#PaymentLink',
    PaymentLinkConnection: '../resolvers/pages.ts#PaymentLinkList',
  },
  events: {
    Transaction: '../resolvers/events/payment-events.ts#PaymentReference',
    Event: '../../modules/events/index.ts#FeedEvent',
    EventConnection: '../resolvers/pages.ts#EventList',
    WebhookEndpoint: '../../modules/events/index.ts#WebhookEndpoint',
    WebhookDelivery: '../../modules/events/index.ts#WebhookDelivery',
    WebhookAttempt: '../../modules/events/index.ts#WebhookAttempt',
    ReplayJob: '../../modules/events/index.ts#ReplayJob',
  },
  exports: {
    Export: '../../modules/exports/index.ts#Export',
  },
};

/** Refusals and actors look alike in every subgraph. */
const sharedTypes = {
  UserError: '../resolvers/refusals.ts#UserErrorValue',
  Actor: '../../platform/database/acting.ts#Actor',
};

/** The domain's name for a thing is mostly the schema's too, so it is imported under another one. */
const mappers = (subgraph: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...sharedTypes, ...domainTypes[subgraph] }).map(([type, at]) => [
      type,
      `${at} as Domain${type}`,
    ]),
  );

const sdlFiles = (subgraph: string): string[] => filesOf(subgraph).map((name) => `schema/${name}.graphql`);

/** Enum name -> value name -> the lower-case word that the domain uses, the rule of src/graph/federation/enum-values.ts. */
function enumValues(subgraph: string): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = {};
  visit(
    parse(
      sdlFiles(subgraph)
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n'),
    ),
    {
      EnumTypeDefinition: ({ name, values = [] }) => {
        found[name.value] = Object.fromEntries(
          values.map((value) => [value.name.value, value.name.value.toLowerCase()]),
        );
      },
    },
  );
  return found;
}

const target = (subgraph: string): CodegenConfig['generates'] => ({
  [`src/graph/generated/${subgraph}.ts`]: {
    schema: sdlFiles(subgraph),
    // The lower-case words are for the types only: the resolvers plugin would take them for enums imported from a file.
    plugins: [
      { typescript: { enumsAsTypes: true, enumValues: enumValues(subgraph) } },
      'typescript-resolvers',
    ],
    config: {
      federation: true,
      contextType: '../context.ts#GraphContext',
      mappers: mappers(subgraph),
      scalars: {
        ID: 'string',
        _FieldSet: 'string',
        DateTime: 'Date',
        StringMap: 'Readonly<Record<string, string>>',
        JSONObject: 'Readonly<Record<string, unknown>>',
        MinorUnits: 'number',
        SequenceNumber: { input: 'number', output: 'number | bigint' },
      },
      strictScalars: true,
      immutableTypes: true,
      useTypeImports: true,
      skipTypename: true,
    },
  },
});

/** The types of the composed schema for callers, and the shape that writes their documents. */
const clientTarget: CodegenConfig['generates'] = {
  'src/client/generated/schema.ts': {
    schema: 'schema/api.graphql',
    plugins: ['./.config/client-schema.mjs'],
  },
};

// Resolver types, one file for each subgraph. All imports in them are of types only, so nothing generated runs.
const config: CodegenConfig = {
  errorsOnly: true,
  generates: Object.assign(
    {},
    ...Object.keys(domainTypes).map(target),
    clientTarget,
  ) as CodegenConfig['generates'],
};

// The generator asks for a default export.
export default config;

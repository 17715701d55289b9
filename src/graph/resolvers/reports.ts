import {
  MEASURE_SETS,
  findTopBuyers,
  reportTransactions,
  totalDeliveries,
  type Measure,
  type MeasureSet,
  type ReportLine,
  type Sum,
} from '../../modules/reports/index.ts';
import { invalidArguments } from '../errors.ts';
import { decidedBySelection } from '../execution/selected-fields.ts';
import type { Subgraph } from '../federation/subgraph.ts';
import type { Resolvers } from '../generated/reports.ts';

const sumOf =
  (measure: Measure) =>
  ({ sum }: ReportLine): Sum =>
    sum(measure);

/** The fields of a row that need no measure. */
const OTHERS = ['__typename', 'startsAt', 'value', 'currency', 'amountPercentiles', 'answerTime'];

/** The field of a row that needs several measures. */
const RATE = 'authorizationRate';

/** The fields of a row that a set answers, for each set but `all`. */
const ANSWERED = (
  [
    ['money', []],
    ['usual', [RATE]],
    ['ordinary', [RATE]],
  ] as const
).map(([set, more]) => [set, new Set<string>([...OTHERS, ...MEASURE_SETS[set], ...more])] as const);

/** Returns the narrowest set of measures that answers the selected fields. */
const measuresOf = decidedBySelection([['rows']], (fields): MeasureSet => {
  const narrow = ANSWERED.find(([, answered]) => [...fields].every((field) => answered.has(field)));
  return narrow?.[0] ?? 'all';
});

const resolvers: Resolvers = {
  Query: {
    transactionReport: async (_, { filter, ...given }, { app, viewer }, info) => {
      const {
        paymentServiceId,
        cardCountry,
        buyerCountry,
        paymentSource,
        threeDSecure,
        declineCode,
        ...named
      } = filter ?? {};
      const asked = {
        ...given,
        filter: {
          ...{
            ...named,
            payment_service: paymentServiceId,
            card_country: cardCountry,
            buyer_country: buyerCountry,
          },
          ...{ payment_source: paymentSource, three_d_secure: threeDSecure, decline_code: declineCode },
        },
      };
      const report = await reportTransactions(app, viewer, asked, measuresOf(info));
      if (!report.ok) throw invalidArguments(report.refusals);
      return report.value;
    },
    topBuyers: async (_, given, { app, viewer }) => {
      const found = await findTopBuyers(app, viewer, given);
      if (!found.ok) throw invalidArguments(found.refusals);
      return found.value;
    },
    webhookDeliveryTotals: async (_, given, { app, viewer }) => {
      const totals = await totalDeliveries(app, viewer, given);
      if (!totals.ok) throw invalidArguments(totals.refusals);
      return totals.value;
    },
  },
  TransactionReport: {
    rows: ({ lines }) => lines,
  },
  TransactionReportRow: {
    created: sumOf('created'),
    authorized: sumOf('authorized'),
    declined: sumOf('declined'),
    failed: sumOf('failed'),
    captured: sumOf('captured'),
    refunded: sumOf('refunded'),
    voided: sumOf('voided'),
    expired: sumOf('expired'),
    captureReversed: sumOf('capture_reversed'),
    refundReversed: sumOf('refund_reversed'),
    disputeLost: sumOf('dispute_lost'),
    amountPercentiles: ({ spread }) => spread('amount'),
    answerTime: ({ spread }) => spread('answer'),
    authorizationRate: ({ sum }) => {
      const authorized = sum('authorized').count;
      const all = authorized + sum('declined').count + sum('failed').count;
      return all === 0 ? null : authorized / all;
    },
  },
  WebhookDeliveryTotals: {
    successRate: ({ delivered, expired }) =>
      delivered + expired === 0 ? null : delivered / (delivered + expired),
  },
  TopBuyer: {
    buyer: ({ buyerId }) => ({ id: buyerId }),
  },
  ReportSum: {
    average: ({ count, amount }) => (count === 0 ? null : amount / count),
  },
};

/** Sums of payments. */
export const reportsSubgraph: Subgraph = { name: 'reports', resolvers };

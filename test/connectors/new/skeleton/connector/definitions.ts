import { noFeatures, type Definition } from '../../../../../src/connectors/interface/definition.ts';

const DAY_MS = 24 * 3_600_000;

/** One definition for each method. Features are promises: turn on only those that a test proves. */
export const skeletonDefinitions: readonly Definition[] = [
  {
    id: 'skeleton-card',
    displayName: 'Skeleton',
    method: 'card',
    fields: [
      { key: 'api_key', displayName: 'API key', required: true, format: 'text', secret: true },
      { key: 'webhook_secret', displayName: 'Webhook secret', required: true, format: 'text', secret: true },
    ],
    reportingFields: [],
    supportedCurrencies: [],
    supportedCountries: [],
    supportedFeatures: {
      ...noFeatures,
      cancel: true,
      delayed_capture: true,
      partial_refunds: true,
      raw_card_data: true,
      refunds: true,
      sync: true,
      void: true,
    },
    approvalWindow: null,
    decisionWindowMs: 7 * DAY_MS,
    deadlineMs: 30_000,
    sandboxOnly: false,
  },
];

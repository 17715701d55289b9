import { record } from './made.ts';
import type { Scenario } from './scenarios.ts';

/** The scenario of exports. */
export const exportScenarios: Readonly<Record<string, Scenario>> = {
  createExport: {
    makes: record('export', 'merchant_account_id = $1'),
    given: async () => {
      const input = { type: 'LEDGER', format: 'CSV' };
      return {
        input: { input },
        alike: { input: { ...input, filter: { ledger: { createdAtGte: null } } } },
        other: { input: { ...input, format: 'NDJSON' } },
        refused: { input: { ...input, filter: { transactions: {} } } },
      };
    },
    differs: ['input.format'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
  },
};

import { idOf, record } from './made.ts';
import type { Scenario } from './scenarios.ts';

/** The scenario of 3-D Secure rules. */
export const threeDSScenarios: Readonly<Record<string, Scenario>> = {
  createThreeDSScenario: {
    makes: record('three_ds_scenario', 'merchant_account_id = $1'),
    given: async () => {
      const conditions = { amount: 1299, cardNumber: '4111 1111 1111 1111' };
      const outcome = { authentication: 'C', challengeResult: 'N' };
      return {
        input: { input: { conditions, outcome } },
        alike: {
          input: {
            conditions: { ...conditions, cardNumber: '4111111111111111', firstName: null },
            outcome: { ...outcome, version: '2.2.0' },
          },
        },
        other: { input: { conditions: { ...conditions, cardNumber: '41111111' }, outcome } },
        refused: { input: { conditions, outcome: { authentication: 'Y', challengeResult: 'N' } } },
      };
    },
    differs: ['input.conditions.cardNumber'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    meanwhile: (tenant, made) =>
      tenant.make('updateThreeDSScenario', {
        id: idOf(made, 'threeDSScenario'),
        input: { conditions: { amount: 5 } },
      }),
  },
};

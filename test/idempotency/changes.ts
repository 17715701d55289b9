import type { Harness, Tenant } from './harness.ts';
import { idOf, money } from './made.ts';
import type { Scenario } from './scenarios.ts';

type Pay = (harness: Harness, tenant: Tenant, change?: Readonly<Record<string, unknown>>) => Promise<string>;

/** The scenarios of changes of an authorisation. `pay` makes a payment and returns its id. */
export const changeScenarios = (pay: Pay): Readonly<Record<string, Scenario>> => ({
  increaseAuthorization: {
    makes: money('increase'),
    given: async (harness, tenant) => {
      const id = await pay(harness, tenant);
      return {
        input: { id, input: { amount: 500 } },
        alike: { id: id.toUpperCase(), input: { amount: 500, externalIdentifier: null } },
        other: { id, input: { amount: 501 } },
        refused: { id, input: { amount: 99_999_999 } },
      };
    },
    differs: ['input.amount'],
    refusal: 'INVALID_INPUT',
    repeatable: true,
    meanwhile: (tenant, made) => tenant.make('captureTransaction', { id: idOf(made, 'transaction') }),
  },
  reauthorizeTransaction: {
    makes: money('reauthorize'),
    given: async (harness, tenant) => {
      const id = await pay(harness, tenant);
      return {
        input: { id },
        alike: { id: id.toUpperCase() },
        other: async () => ({ id: await pay(harness, tenant) }),
        refused: async () => ({ id: await pay(harness, tenant, { intent: 'CAPTURE' }) }),
      };
    },
    differs: ['id'],
    refusal: 'OPERATION_NOT_ALLOWED',
    repeatable: true,
    meanwhile: (tenant, made) => tenant.make('captureTransaction', { id: idOf(made, 'transaction') }),
  },
});

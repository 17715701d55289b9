import { keepRetryPlans } from '../../../src/modules/transactions/index.ts';
import {
  CARD,
  startHarness,
  type CreateInput,
  type Harness,
  type HarnessOptions,
  type Payload,
} from '../harness.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A payment that the merchant initiates. */
export const MERCHANT = { paymentSource: 'RECURRING', merchantInitiated: true, isSubsequentPayment: true };

export type ShownPlan = {
  readonly status: string;
  readonly reason: string | null;
  readonly tries: readonly { readonly status: string; readonly errorCode: string | null }[];
  readonly nextTryAt: string | null;
  readonly endsAt: string | null;
};

/** A server with a stored card, and helpers for payments with a plan. */
export type PlanHarness = Harness & {
  /** Stores a card and returns its id. */
  store(number?: string): Promise<string>;
  /** Pays with a plan, by default with tries after 24 and 72 hours. */
  pay(input?: Partial<CreateInput>, key?: string): Promise<Payload>;
  /** Pays, is refused as asked, and returns the id of the payment. */
  refused(plan?: object, input?: Partial<CreateInput>): Promise<string>;
  plan(id: string): Promise<ShownPlan | null>;
  stop(): Promise<void>;
  stopPlan(
    id: string,
  ): Promise<{ readonly plan: ShownPlan | null; readonly errors: readonly { code: string }[] }>;
  /** Lets time pass, and workers look at the plans until nothing is due. */
  later(ms: number): Promise<void>;
};

export const FUNDS = { code: 'insufficient_funds' };

const PLAN = `retryPlan { status reason tries { status errorCode } nextTryAt endsAt }`;

export async function startPlans(
  definitionId = 'mock-card',
  options: HarnessOptions = {},
): Promise<PlanHarness> {
  const harness = await startHarness(definitionId, options);
  const store: PlanHarness['store'] = async (number = CARD.number) => {
    const { stored } = await harness.ask<{
      stored: { paymentMethod: { id: string } | null; userErrors: unknown[] };
    }>(
      `mutation ($input: StorePaymentMethodInput!) { stored: storePaymentMethod(input: $input) {
        paymentMethod { id } userErrors { message } } }`,
      { input: { instrument: { card: { number, expirationDate: '03/40' } } } },
    );
    if (!stored.paymentMethod) throw new Error(JSON.stringify(stored.userErrors));
    return stored.paymentMethod.id;
  };
  let id: string | null = null;
  const pay: PlanHarness['pay'] = async (input = {}, key) => {
    // Its scheme has no limit of attempts, so that the payments of a file do not count for each other.
    id ??= await store('3782 822463 10005');
    return harness.create(
      { paymentMethod: { stored: { id } }, retryPlan: { afterHours: [24, 72] }, ...MERCHANT, ...input },
      key,
    );
  };
  return {
    ...harness,
    store,
    pay,
    refused: async (retryPlan = { afterHours: [24, 72] }, input = {}) => {
      harness.provider.declineNext(FUNDS);
      const { transaction, userErrors } = await pay({ retryPlan, ...input });
      if (transaction?.status !== 'AUTHORIZATION_DECLINED')
        throw new Error(JSON.stringify({ transaction, userErrors }));
      return transaction.id;
    },
    plan: async (transaction) =>
      (
        await harness.ask<{ transaction: { retryPlan: ShownPlan | null } | null }>(
          `query ($id: ID!) { transaction(id: $id) { ${PLAN} } }`,
          { id: transaction },
        )
      ).transaction?.retryPlan ?? null,
    stopPlan: async (transactionId) => {
      const { payload } = await harness.ask<{
        payload: { transaction: { retryPlan: ShownPlan } | null; userErrors: { code: string }[] };
      }>(
        `mutation ($id: ID!) { payload: stopRetryPlan(id: $id) { transaction { ${PLAN} }
          userErrors { code message } } }`,
        { id: transactionId },
      );
      return { plan: payload.transaction?.retryPlan ?? null, errors: payload.userErrors };
    },
    later: async (ms) => {
      await harness.pass(ms);
      while (await keepRetryPlans(harness.server.app));
    },
  };
}

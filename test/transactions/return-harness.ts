import { startHarness, type CreateInput, type Harness, type HarnessOptions } from './harness.ts';

export const RETURN = 'https://shop.example/back';

/** A payment whose buyer is at the provider's page. */
export type Away = {
  readonly id: string;
  /** The buyer's next address. */
  readonly approvalUrl: string;
  /** The address to which the provider sends the buyer back. */
  readonly returnUrl: string;
};

export type Shown = {
  readonly status: string;
  readonly approvalUrl: string | null;
  readonly errorCode: string | null;
  readonly [field: string]: unknown;
};

/** A harness at the sandbox's redirect with a return. */
export type ReturnHarness = Harness & {
  leave(input?: Partial<CreateInput>, key?: string): Promise<Away>;
  /** Comes back by GET. */
  back(away: Away, parameters?: Readonly<Record<string, string>>): Promise<Response>;
  /** Comes back by POST. */
  postBack(away: Away, parameters?: Readonly<Record<string, string>>): Promise<Response>;
  show(id: string): Promise<Shown>;
  /** Counts the requests to continue a payment. */
  resumes(): number;
};

export const APPROVED = { redirect_result: 'approved' };
export const REFUSED = { redirect_result: 'refused' };

export async function startReturnHarness(options: HarnessOptions = {}): Promise<ReturnHarness> {
  const harness = await startHarness('mock-redirect', options);
  const show: ReturnHarness['show'] = async (id) =>
    (
      await harness.ask<{ transaction: Shown }>(
        'query ($id: ID!) { transaction(id: $id) { id status approvalUrl errorCode authorizedAmount capturedAmount } }',
        { id },
      )
    ).transaction;
  return {
    ...harness,
    show,
    leave: async (input = {}, key) => {
      const { transaction, userErrors } = await harness.create(
        { paymentMethod: { redirect: { method: 'ideal' } }, redirectUrl: RETURN, ...input },
        key,
      );
      if (!transaction) throw new Error(JSON.stringify(userErrors));
      const { approvalUrl } = await show(transaction.id);
      const call = harness.provider.calls.findLast(({ operation }) => operation === 'authorize');
      return { id: transaction.id, approvalUrl: approvalUrl ?? '', returnUrl: call?.return_url ?? '' };
    },
    back: ({ returnUrl }, parameters = APPROVED) =>
      fetch(`${returnUrl}?${new URLSearchParams(parameters).toString()}`, { redirect: 'manual' }),
    postBack: ({ returnUrl }, parameters = APPROVED) =>
      fetch(returnUrl, { method: 'POST', body: new URLSearchParams(parameters), redirect: 'manual' }),
    resumes: () => harness.provider.calls.filter(({ operation }) => operation === 'resume').length,
  };
}

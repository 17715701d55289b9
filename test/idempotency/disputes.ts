import { randomUUID } from 'node:crypto';
import { recordDispute } from '../../src/modules/disputes/index.ts';
import type { Harness, Tenant } from './harness.ts';
import { responded } from './made.ts';
import type { Scenario } from './scenarios.ts';
import { serviceAt } from './services.ts';

/** The scenarios of responses to disputes. */
export const disputeScenarios: Readonly<Record<string, Scenario>> = {
  submitDisputeEvidence: {
    makes: responded('evidence', 'submit_evidence'),
    given: async (harness, tenant) => {
      const id = await open(harness, tenant);
      const input = { texts: [{ kind: 'SHIPPING', text: 'Delivered to the door.' }] };
      return {
        input: { id, input },
        alike: { id: id.toUpperCase(), input: { ...input, files: [] } },
        other: { id, input: { texts: [{ kind: 'SHIPPING', text: 'Delivered.' }] } },
        refused: { id, input: { texts: [] } },
      };
    },
    differs: ['input.texts.0.text'],
    refusal: 'INVALID_INPUT',
    repeatable: false,
  },
  acceptDispute: {
    makes: responded('acceptance', 'accept_dispute'),
    given: async (harness, tenant) => {
      const id = await open(harness, tenant);
      return {
        input: { id },
        alike: { id: id.toUpperCase() },
        other: async () => ({ id: await open(harness, tenant) }),
        refused: async () => ({ id: await open(harness, tenant, 'won') }),
      };
    },
    differs: ['id'],
    refusal: 'OPERATION_NOT_ALLOWED',
    repeatable: false,
  },
};

/** Creates a dispute of a captured payment. Returns its id. */
async function open(
  harness: Harness,
  tenant: Tenant,
  status: 'needs_response' | 'won' = 'needs_response',
): Promise<string> {
  const { app } = harness.server;
  const { id: paymentServiceId } = await tenant.make('createPaymentService', {
    input: serviceAt(harness.provider.url),
  });
  const card = { number: '4111111111111111', expirationDate: '12/99' };
  const { id: transactionId } = await tenant.make('createTransaction', {
    input: { amount: 1299, currency: 'USD', intent: 'CAPTURE', paymentServiceId, paymentMethod: { card } },
  });
  const [operation] = await harness.rows<{ id: string }>(
    'SELECT id FROM operation WHERE transaction_id = $1::uuid',
    transactionId,
  );
  const subject = { merchantAccountId: tenant.id, transactionId, paymentServiceId };
  const recorded = await recordDispute(
    app,
    { ...subject, operationId: operation?.id ?? null },
    {
      ...{ disputeReference: `dp_${randomUUID()}`, stage: 'chargeback', status, reason: 'fraudulent' },
      ...{ reasonCode: null, money: { amount: 1299, currency: 'USD' }, respondBy: null, at: app.clock.now() },
    },
  );
  if (recorded.kind !== 'decided' || recorded.disputeId === null) throw new Error('There is no dispute');
  return recorded.disputeId;
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHarness, type Harness } from '../transactions/harness.ts';
import { startSessionHarness, type SessionHarness } from '../transactions/session-harness.ts';
import { restClient, type RestAnswer } from './client.ts';
import { readDescription, type Description } from './read-description.ts';

let session: SessionHarness;
let harness: Harness;
let acquirer: Harness;
let description: Description;
beforeAll(async () => {
  [session, harness, acquirer] = await Promise.all([
    startSessionHarness(),
    startHarness(),
    startHarness('mock-acquirer'),
  ]);
  description = await readDescription(restClient(harness.server));
});
afterAll(() => Promise.all([session.stop(), harness.stop(), acquirer.stop()]));

/** The amount of an authorisation that the acquirer accepts and decides later. */
const DECIDED_LATER = 600_001;

/** Lists the contradictions between an answer and the description. */
function faultsIn(operationId: string, { status, body }: RestAnswer): readonly string[] {
  const found = description.operations.find(({ operation }) => operation.operationId === operationId);
  const response = found?.operation.responses[status] as
    | { readonly content: { readonly 'application/json': { readonly schema: object } } }
    | undefined;
  if (!response) return [`${status} is not described: ${JSON.stringify(body)}`];
  const { schema } = response.content['application/json'];
  return description.faultsOf({ ...schema, unevaluatedProperties: false }, body);
}

describe('the paths of payments that wait or grow answer as described', () => {
  it('the session of a token, without an access token', async () => {
    const { id, token } = await session.wait();
    const send = restClient(session.server);

    const answer = await send(`POST /transactions/${id}/session?token=${token}`, {}, { token: null });

    expect(answer.status).toBe(200);
    expect(faultsIn('post_transactions_transaction_id_session', answer)).toEqual([]);
  });

  it('the increase of an authorisation', async () => {
    const id = await harness.authorized(1000);
    const send = restClient(harness.server);

    const answer = await send(`POST /transactions/${id}/authorization/increment`, { amount: 100 });

    expect(answer).toMatchObject({ status: 200, body: { status: 'succeeded', amount: 100 } });
    expect(faultsIn('post_transactions_transaction_id_authorization_increment', answer)).toEqual([]);
  });

  it('the questions to the provider about a payment, and its cancel', async () => {
    const id = await acquirer.authorized(DECIDED_LATER);
    const other = await acquirer.authorized(DECIDED_LATER);
    const send = restClient(acquirer.server);

    const synced = await send(`POST /transactions/${id}/sync`);
    const cancelled = await send(`POST /transactions/${other}/cancel`);

    expect(synced).toMatchObject({ status: 200, body: { id, status: 'authorization_succeeded' } });
    expect(faultsIn('post_transactions_transaction_id_sync', synced)).toEqual([]);
    expect(cancelled).toMatchObject({ status: 200, body: { transaction_id: other, status: 'succeeded' } });
    expect(faultsIn('post_transactions_transaction_id_cancel', cancelled)).toEqual([]);
  });
});

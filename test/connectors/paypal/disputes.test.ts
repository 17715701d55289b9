import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { respondToDispute, type DisputeCall } from '../../../src/connectors/calls/call-dispute.ts';
import { dispute as disputeSchema } from '../../../src/connectors/paypal/disputes/dispute-answers.ts';
import { reportOf } from '../../../src/connectors/paypal/disputes/dispute-report.ts';
import { money } from './double-client.ts';
import { openStand, type Stand } from './stand.ts';

const KEY = '0199fc3e-7d4a-7c55-9d3e-2f1b6a0c4d5e';

const given = (changes: object = {}) =>
  disputeSchema.parse({
    ...{ dispute_id: 'PP-D-1', reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED', status: 'UNDER_REVIEW' },
    ...{ dispute_life_cycle_stage: 'CHARGEBACK', dispute_amount: money('12.99', 'EUR') },
    ...changes,
  });

describe('a dispute', () => {
  it('names its money, its reason and the time to respond', () => {
    const report = reportOf(
      given({ status: 'WAITING_FOR_SELLER_RESPONSE', seller_response_due_date: '2026-12-01T00:00:00Z' }),
    );
    expect(report).toEqual({
      ...{ disputeReference: 'PP-D-1', stage: 'chargeback', status: 'needs_response' },
      ...{ reason: 'product_not_received', reasonCode: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED' },
      ...{ money: { amount: 1299, currency: 'EUR' }, respondBy: new Date('2026-12-01T00:00:00Z') },
    });
  });

  it.each([
    ['INQUIRY', 'inquiry'],
    ['CHARGEBACK', 'chargeback'],
    ['PRE_ARBITRATION', 'pre_arbitration'],
    ['ARBITRATION', 'pre_arbitration'],
  ])('at %s is at the stage %s', (word, stage) => {
    expect(reportOf(given({ dispute_life_cycle_stage: word }))).toMatchObject({ stage });
  });

  it.each([
    ['WAITING_FOR_SELLER_RESPONSE', 'needs_response'],
    ['WAITING_FOR_BUYER_RESPONSE', 'under_review'],
    ['UNDER_REVIEW', 'under_review'],
    ['OPEN', 'under_review'],
  ])('with the status %s is %s', (status, expected) => {
    expect(reportOf(given({ status }))).toMatchObject({ status: expected });
  });

  it.each([
    ['RESOLVED_BUYER_FAVOUR', 'lost'],
    ['RESOLVED_SELLER_FAVOUR', 'won'],
    ['CANCELED_BY_BUYER', 'won'],
    ['DENIED', 'won'],
    ['ACCEPTED', 'accepted'],
    ['RESOLVED_WITH_PAYOUT', 'closed'],
    ['NONE', 'closed'],
  ])('with the end %s is %s', (outcome_code, status) => {
    expect(reportOf(given({ status: 'RESOLVED', dispute_outcome: { outcome_code } }))).toMatchObject({
      status,
    });
  });

  it('that is lost took the refunded part alone', () => {
    const ended = (value: string) =>
      reportOf(
        given({
          status: 'RESOLVED',
          dispute_outcome: {
            outcome_code: 'RESOLVED_BUYER_FAVOUR',
            amount_refunded: money(value, 'EUR'),
          },
        }),
      );
    expect(ended('5.00')).toMatchObject({ status: 'lost', money: { amount: 500 } });
    expect(ended('0.00')).toMatchObject({ status: 'closed', money: { amount: 1299 } });
  });

  it.each([
    [{ status: 'OTHER' }],
    [{ status: 'RESOLVED' }],
    [{ status: 'RESOLVED', dispute_outcome: { outcome_code: 'QUANTUM' } }],
    [{ dispute_life_cycle_stage: 'QUANTUM' }],
    [{ dispute_amount: money('1.234', 'EUR') }],
  ])('with %j says nothing', (changes) => {
    expect(reportOf(given(changes))).toBeNull();
  });
});

describe('a response', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand();
  });
  afterAll(() => stand.close());

  const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x00, 0xff]).toString('base64');
  const EVIDENCE = {
    texts: [{ kind: 'shipping', text: 'Left the store on Monday.' }],
    files: [{ kind: 'receipt', name: 'rec"eipt.png', format: 'png', content: PNG }],
  } as const;

  /** Opens a dispute of a new payment. */
  const open = async (stage: 'INQUIRY' | 'CHARGEBACK' = 'CHARGEBACK'): Promise<string> => {
    const { id } = await stand.bench.capture();
    return stand.bench.double.hands.dispute(id, { stage });
  };
  const respond = (disputeReference: string, changes: Partial<DisputeCall> = {}, deadlineMs?: number) =>
    respondToDispute(stand.connector, stand.context(deadlineMs), pino({ level: 'silent' }), {
      ...{ key: KEY, disputeReference, stage: 'chargeback', paymentReference: null, evidence: EVIDENCE },
      ...changes,
    });
  const read = async (id: string) => (await stand.bench.call(`GET /v1/customer/disputes/${id}`)).json;
  const sent = (): readonly string[] =>
    stand.bench.double.requests.filter(({ method }) => method === 'POST').map(({ path }) => path);

  it('gives texts and files to PayPal at once, and once', async () => {
    const id = await open();
    expect(await respond(id)).toEqual({ kind: 'done' });
    expect(await respond(id)).toEqual({ kind: 'done' });
    expect(sent().filter((path) => path.includes(id))).toEqual([
      `/v1/customer/disputes/${id}/provide-evidence`,
    ]);
    expect(await read(id)).toMatchObject({
      status: 'UNDER_REVIEW',
      evidences: [
        { evidence_type: 'ADDITIONAL_PROOF_OF_SHIPMENT', notes: 'Left the store on Monday.' },
        { evidence_type: 'PROOF_OF_RECEIPT_COPY', documents: [{ name: 'receipt.png' }] },
        { evidence_type: 'OTHER', notes: `Response ${KEY}` },
      ],
    });
  });

  it('with a long text loses nothing of it', async () => {
    const id = await open();
    const text = `${'a'.repeat(999)}🙂${'b'.repeat(3_000)}`;
    expect(await respond(id, { evidence: { texts: [{ kind: 'other', text }], files: [] } })).toEqual({
      kind: 'done',
    });
    const { evidences } = (await read(id)) as { evidences: { notes: string }[] };
    const notes = evidences.map((each) => each.notes).slice(0, -1);
    expect(notes.join('')).toBe(text);
  });

  it('whose answer is lost is found by a repeat', async () => {
    const id = await open();
    stand.bench.double.failNext(['lose_answer'], /provide-evidence/);
    expect(await respond(id)).toMatchObject({ kind: 'unknown' });
    expect(await respond(id)).toEqual({ kind: 'done' });
    const { evidences } = (await read(id)) as { evidences: object[] };
    expect(evidences).toHaveLength(3);
  });

  it('accepts the dispute, and a repeat finds it accepted', async () => {
    const id = await open();
    stand.bench.double.failNext(['lose_answer'], /accept-claim/);
    expect(await respond(id, { evidence: null })).toMatchObject({ kind: 'unknown' });
    expect(await respond(id, { evidence: null })).toEqual({ kind: 'done' });
    expect(await read(id)).toMatchObject({
      status: 'RESOLVED',
      dispute_outcome: { outcome_code: 'ACCEPTED' },
    });
  });

  it('is refused at another stage, after the end, and by an explicit no', async () => {
    const inquiry = await open('INQUIRY');
    expect(await respond(inquiry)).toEqual({ kind: 'refused', errorCode: 'DISPUTE_IS_INQUIRY' });

    const id = await open();
    stand.bench.double.refuseNext('DISPUTE_STATUS_NOT_ALLOWED', /provide-evidence/);
    expect(await respond(id)).toEqual({ kind: 'refused', errorCode: 'DISPUTE_STATUS_NOT_ALLOWED' });
    stand.bench.double.hands.decideDispute(id, 'won');
    for (const evidence of [EVIDENCE, null])
      expect(await respond(id, { evidence })).toEqual({ kind: 'refused', errorCode: 'DISPUTE_IS_RESOLVED' });
    expect(await respond('PP-D-NONE')).toEqual({ kind: 'refused', errorCode: 'INVALID_RESOURCE_ID' });
  });

  it.each(['error_before_work', 'maintenance', 'truncated'] as const)(
    'is unknown after the fault %s',
    async (fault) => {
      const id = await open();
      stand.bench.double.failNext([fault], /GET .*disputes/);
      expect(await respond(id)).toMatchObject({ kind: 'unknown' });
      expect(await respond(id)).toEqual({ kind: 'done' });
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import type { DisputeStage } from '../../../src/connectors/notices/disputes.ts';
import { dispute, errorOf, KEY } from './objects.ts';
import { openStub } from './stub.ts';

const stub = await openStub();

const request = (stage: DisputeStage = 'chargeback') => ({
  ...{ key: KEY, disputeReference: 'dp_1', stage, paymentReference: 'pi_1' },
});

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x00, 0xff]);

const EVIDENCE = {
  texts: [
    { kind: 'shipping', text: 'Left the store on Monday.' },
    { kind: 'service', text: 'A difference engine.' },
    { kind: 'refund_policy', text: 'Thirty days.' },
    { kind: 'other', text: 'The buyer was there.' },
  ],
  files: [{ kind: 'receipt', name: 'rec"eipt.png', format: 'png', content: PNG.toString('base64') }],
} as const;

const calls = () => stub.arrived.map(({ call }) => call);

describe('evidence', () => {
  const send = (stage?: DisputeStage) =>
    stub.connector.disputes?.submitEvidence?.(stub.context(), { ...request(stage), evidence: EVIDENCE });

  it('uploads the files, then submits all at once', async () => {
    stub.answer(
      { body: dispute() },
      { body: { id: 'file_1', object: 'file' } },
      { body: dispute({ status: 'under_review' }) },
    );

    expect(await send()).toEqual({ kind: 'done' });

    expect(calls()).toEqual(['GET /v1/disputes/dp_1', 'POST /files/v1/files', 'POST /v1/disputes/dp_1']);
    expect(stub.arrived.map(({ headers }) => headers['idempotency-key'])).toEqual([
      ...[undefined, `${KEY}:receipt`, KEY],
    ]);
    expect(stub.arrived[2]?.form).toEqual({
      'evidence[receipt]': 'file_1',
      'evidence[product_description]': 'A difference engine.',
      'evidence[refund_policy_disclosure]': 'Thirty days.',
      'evidence[uncategorized_text]': 'Shipping:\nLeft the store on Monday.\n\nThe buyer was there.',
      ...{ 'metadata[paygraph_response]': KEY, submit: 'true' },
    });
  });

  it('uploads the bytes of a file unchanged', async () => {
    stub.answer({ body: dispute() }, { body: { id: 'file_1', object: 'file' } }, { body: dispute() });
    await send();
    const { body, headers } = stub.arrived[1] ?? {};
    const [, boundary = ''] = /boundary=(.+)$/.exec(String(headers?.['content-type'])) ?? [];
    expect(String(headers?.['content-type'])).toMatch(/^multipart\/form-data; boundary=/);
    expect(Buffer.from(body ?? '', 'latin1')).toEqual(
      Buffer.concat([
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\ndispute_evidence\r\n`,
        ),
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="rec_eipt.png"\r\n`,
        ),
        Buffer.from('Content-Type: image/png\r\n\r\n'),
        PNG,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]),
    );
  });

  it('that arrived before is not sent again', async () => {
    stub.answer({ body: dispute({ metadata: { paygraph_response: KEY }, status: 'under_review' }) });
    expect(await send()).toEqual({ kind: 'done' });
    expect(calls()).toEqual(['GET /v1/disputes/dp_1']);
  });

  it('for another stage is not sent', async () => {
    stub.answer({ body: dispute({ status: 'warning_needs_response' }) });
    expect(await send()).toEqual({ kind: 'refused', errorCode: 'dispute_is_warning_needs_response' });
    expect(calls()).toEqual(['GET /v1/disputes/dp_1']);
  });

  it('whose file is refused is not submitted', async () => {
    stub.answer({ body: dispute() }, { status: 400, body: errorOf({ code: 'file_too_large' }) });
    expect(await send()).toEqual({ kind: 'refused', errorCode: 'file_too_large' });
    expect(stub.arrived).toHaveLength(2);
  });

  it('without an answer is unknown', async () => {
    stub.answer({ body: dispute() }, { body: { id: 'file_1' } }, { status: 500, body: {} });
    expect(await send()).toEqual({ kind: 'unknown', cause: 'server_error' });
    stub.answer({ body: dispute() }, { status: 503, body: {} });
    expect(await send()).toEqual({ kind: 'unknown', cause: 'server_error' });
  });
});

describe('an acceptance', () => {
  const send = () => stub.connector.disputes?.accept?.(stub.context(), request());

  it('closes the dispute', async () => {
    stub.answer({ body: dispute() }, { body: dispute({ status: 'lost' }) });
    expect(await send()).toEqual({ kind: 'done' });
    expect(calls()).toEqual(['GET /v1/disputes/dp_1', 'POST /v1/disputes/dp_1/close']);
    expect(stub.arrived[1]?.headers['idempotency-key']).toBe(KEY);
  });

  it('of a closed dispute is refused', async () => {
    stub.answer(
      { body: dispute({ status: 'won' }) },
      { status: 400, body: errorOf({ code: 'dispute_closed' }) },
    );
    expect(await send()).toEqual({ kind: 'refused', errorCode: 'dispute_closed' });
  });

  it('of a dispute that Stripe does not know is refused', async () => {
    stub.answer({ status: 404, body: errorOf({ code: 'resource_missing' }) });
    expect(await send()).toEqual({ kind: 'refused', errorCode: 'resource_missing' });
  });
});

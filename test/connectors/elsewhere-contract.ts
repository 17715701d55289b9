import { until } from '../support/until.ts';
import { CODE } from './contract-answers.ts';
import { AWAY } from './contract-calls.ts';
import { isAbout, type Desk, type Learned } from './contract-desk.ts';
import { STATED, UNKNOWN_AFTER } from './contract-faults.ts';
import type { ConnectorCall } from '../../src/connectors/calls/call.ts';
import { expect, it } from './runner.ts';

/** Tests buyers who pay in an app, at a shop or at a bank, from where nobody comes back. Needs `decidesElsewhere` of the provider. */
export function describeElsewhere(desk: Desk): void {
  describeBeginning(desk);
  describeBeginningFaults(desk);
  describeDecisions(desk);
  describeEnd(desk);
}

const begin = (desk: Desk): Promise<ConnectorCall> => desk.ask('authorize', 'approve');

/** Expects that a payment waits for its buyer, who knows how to pay. */
function expectWaiting(desk: Desk, answer: Learned): void {
  expect(answer).toMatchObject({ kind: 'accepted', reference: expect.stringMatching(/./) });
  for (const part of desk.instructs()) expect(answer).toHaveProperty(part, expect.anything());
}

/** Learns the decision of a buyer as the core does: by a look-up, or else by a webhook. */
async function learn(desk: Desk, requested: ConnectorCall): Promise<Learned> {
  if (desk.manner.looksUp) return desk.lookUp(requested);
  return desk.told().findLast((notice) => isAbout(notice, requested, null))?.outcome ?? null;
}

function describeBeginning(desk: Desk): void {
  it('waits for the buyer with an instruction, the same on a repeat', async () => {
    const requested = await begin(desk);
    const answers = [await desk.call(requested), await desk.call(requested)];
    expectWaiting(desk, answers[0] ?? null);
    expect(answers[1]).toEqual(answers[0]);
    expect([new Set(desk.keys()), desk.done(requested.key)]).toEqual([new Set([requested.key]), 0]);
  });

  it('keeps concurrent calls apart', async () => {
    const requested = [];
    for (let count = 0; count < 5; count += 1) requested.push(await begin(desk));
    const answers = await Promise.all(requested.map((each) => desk.call(each)));
    const references = answers.map((answer) => 'reference' in answer && answer.reference);
    expect(new Set(references).size).toBe(5);
  });

  it('logs none of the secrets', async () => {
    const answer = await desk.call(await begin(desk));
    for (const secret of desk.secrets()) {
      expect(JSON.stringify(answer)).not.toContain(secret);
      expect(desk.logs()).not.toContain(secret);
    }
  });
}

function describeBeginningFaults(desk: Desk): void {
  it.each(UNKNOWN_AFTER.filter(([fault]) => desk.can(fault)))(
    'reads %s as an unknown outcome of the beginning, which a repeat finds',
    async (fault) => {
      const requested = await begin(desk);
      desk.failNext(fault);
      expect(['unknown', 'accepted']).toContain((await desk.call(requested)).kind);
      const learned = await desk.learn(requested);
      // A provider that repeats its errors has begun nothing.
      if (fault === 'error_before_work' && (learned === null || learned.kind === 'unknown')) return;
      expectWaiting(desk, learned);
      expect(desk.done(requested.key)).toBe(0);
      desk.decideElsewhere(requested, 'approve');
      expect(await learn(desk, requested)).toMatchObject({ kind: 'succeeded', money: requested.money });
      expect(desk.done(requested.key)).toBe(1);
    },
  );

  it.each(STATED.filter((fault) => desk.can(fault)))('never takes %s for a decline', async (fault) => {
    const requested = await begin(desk);
    desk.failNext(fault);
    // A connector may ask once more, such as with a new access token.
    expect(['failed', 'unknown', 'accepted']).toContain((await desk.call(requested)).kind);
    expect(desk.done(requested.key)).toBe(0);
  });

  it('reports of an unreachable provider that the request never left', async () => {
    const requested = await begin(desk);
    const answer = await desk.call(requested, { http: AWAY });
    expect(answer).toEqual({ kind: 'unknown', cause: 'connection', sent: false });
    expect(desk.keys()).toEqual([]);
  });

  it('reads the answer of a provider that hangs, although the buyer has paid meanwhile', async () => {
    const requested = await begin(desk);
    desk.failNext('hang');
    const answering = desk.call(requested);
    await until(() => desk.keys().includes(requested.key), 'the request at the provider');
    desk.decideElsewhere(requested, 'approve');
    const about = desk.tells() ? desk.told().filter((notice) => isAbout(notice, requested, null)) : null;
    desk.release();
    if (about) expect(about.at(-1)?.outcome).toMatchObject({ kind: 'succeeded' });
    expectWaiting(desk, await answering);
    expect(desk.done(requested.key)).toBe(1);
  });
}

function describeDecisions(desk: Desk): void {
  it('is paid by the buyer, with the requested amount, and the work is done once', async () => {
    const requested = await begin(desk);
    await desk.call(requested);
    desk.decideElsewhere(requested, 'approve');
    expect(await learn(desk, requested)).toMatchObject({ kind: 'succeeded', money: requested.money });
    await desk.call(requested);
    expect([new Set(desk.keys()), desk.done(requested.key)]).toEqual([new Set([requested.key]), 1]);
  });

  it('ends after a refusal, with a code', async () => {
    const requested = await begin(desk);
    await desk.call(requested);
    desk.decideElsewhere(requested, 'refuse');
    const learned = await learn(desk, requested);
    expect(['declined', 'failed']).toContain(learned?.kind);
    expect(learned).toMatchObject(CODE);
  });

  it('is told by a webhook, the same twice, and not by one that is signed for another service', async () => {
    const requested = await begin(desk);
    await desk.call(requested);
    if (!desk.tells()) return;
    desk.decideElsewhere(requested, 'approve');
    const owed = desk.owed();
    const about = owed.flatMap(desk.read).filter((notice) => isAbout(notice, requested, null));
    expect(about.at(-1)?.outcome.kind).toBe('succeeded');
    expect(owed.flatMap(desk.read)).toEqual(owed.flatMap(desk.read));
    for (const webhook of owed)
      expect(desk.readForged(webhook)).toEqual({ ok: false, refusals: ['bad_signature'] });
  });
}

function describeEnd(desk: Desk): void {
  it('ends when the buyer never pays, and holds nothing', async () => {
    const requested = await begin(desk);
    await desk.call(requested);
    expect(await desk.abandon(requested)).toMatchObject(INCOMPLETE);
    expect([new Set(desk.keys()), desk.done(requested.key)]).toEqual([new Set([requested.key]), 0]);
  });

  it('takes nothing from a buyer who pays after the end', async () => {
    const requested = await begin(desk);
    await desk.call(requested);
    await desk.abandon(requested);
    desk.decideElsewhere(requested, 'approve');
    expect(desk.done(requested.key)).toBe(0);
  });

  it('never fails with money held when the buyer pays at the end of the time', async () => {
    const requested = await begin(desk);
    await desk.call(requested);
    desk.decideElsewhere(requested, 'approve');
    const ended = await desk.abandon(requested);
    if (ended?.kind !== 'succeeded') expect(ended).toMatchObject(INCOMPLETE);
    expect(desk.done(requested.key)).toBe(ended?.kind === 'succeeded' ? 1 : 0);
  });
}

/** The end of a payment whose buyer never paid. */
const INCOMPLETE = { kind: 'failed', errorCode: 'incomplete_buyer_approval' };

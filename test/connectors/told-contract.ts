import type { Verb } from '../../src/connectors/interface/requests.ts';
import { until } from '../support/until.ts';
import { answerOf } from './contract-answers.ts';
import type { Notice } from '../../src/connectors/notices/webhook.ts';
import { isAbout, type Desk } from './contract-desk.ts';
import { expect, it } from './runner.ts';

/** Tests the webhooks that a provider owes after an operation. Needs `webhooks` of the provider. */
export function describeTold(desk: Desk, verb: Verb): void {
  it.each([
    ['approve', ['succeeded']],
    ['decline', ['declined', 'failed']],
    ['fail', ['failed', 'declined']],
  ] as const)('is told by a webhook that names it: %s', async (decision, kinds) => {
    const requested = desk.tells() ? await desk.askFor(verb, decision) : null;
    if (!requested) return;
    const answer = await desk.call(requested);
    const reference = 'reference' in answer ? answer.reference : null;

    const about = desk.told().filter((notice) => isAbout(notice, requested, reference));

    // A refusal without an object has nothing to report.
    if (about.length === 0 && decision !== 'approve' && answer.kind !== 'accepted') return;
    const { outcome } = about.at(-1) ?? {};
    expect(kinds).toContain(outcome?.kind);
    if (outcome?.kind === 'succeeded') expect([null, requested.money]).toContainEqual(outcome.money);
    expect(new Set(about.map(({ eventKey }) => eventKey)).size).toBe(about.length);
  });

  it('is told by a webhook after a lost answer, without a reference of ours', async () => {
    const requested = desk.tells() ? await desk.ask(verb, 'approve') : null;
    if (!requested) return;
    desk.failNext('lose_answer');
    await desk.call(requested);

    const about = desk.told().filter((notice) => isAbout(notice, requested, null));

    expect(about.at(-1)?.outcome.kind).toBe('succeeded');
  });

  describeDelivery(desk, verb);
  if (verb === 'authorize' || verb === 'capture' || verb === 'refund') describeTakenBack(desk, verb);
}

function describeDelivery(desk: Desk, verb: Verb): void {
  it('is told by a webhook before its answer, and the answer is still read', async () => {
    const requested = desk.tells() && desk.can('hang') ? await desk.ask(verb, 'approve') : null;
    if (!requested) return;
    desk.failNext('hang');
    const answering = desk.call(requested);
    await until(() => desk.done(requested.key) === 1, 'the work of the provider');

    const about = desk.told().filter((notice) => isAbout(notice, requested, null));

    desk.release();
    expect(about.at(-1)?.outcome.kind).toBe('succeeded');
    expect(await answering).toMatchObject(answerOf(desk, verb, 'approve', requested.money));
  });

  it('is told twice by the same webhook, with the same notices', async () => {
    const requested = desk.tells() ? await desk.ask(verb, 'approve') : null;
    if (!requested) return;
    await desk.call(requested);

    const owed = desk.owed();

    expect(owed.length).toBeGreaterThan(0);
    expect(owed.flatMap(desk.read)).toEqual(owed.flatMap(desk.read));
  });

  it('is not told by a webhook that is signed for another service', async () => {
    const requested = desk.tells() ? await desk.ask(verb, 'approve') : null;
    if (!requested) return;
    await desk.call(requested);

    const owed = desk.owed();

    expect(owed.length).toBeGreaterThan(0);
    for (const webhook of owed)
      expect(desk.readForged(webhook)).toEqual({ ok: false, refusals: ['bad_signature'] });
  });
}

function describeTakenBack(desk: Desk, verb: 'authorize' | 'capture' | 'refund'): void {
  const succeed = async () => {
    const requested = desk.tells() ? await desk.ask(verb, 'approve') : null;
    if (!requested) return null;
    const answer = await desk.call(requested);
    return { requested, reference: 'reference' in answer ? answer.reference : null };
  };

  it.each(['in order', 'in reverse'] as const)(
    'is told by webhooks to have succeeded and to be taken back, %s',
    async (order) => {
      const success = await succeed();
      if (!success) return;
      const { requested, reference } = success;
      const first = desk.owed();
      if (!desk.takeBack(verb, requested.key)) return;
      const owed = [...first, ...desk.owed()];

      const read = (order === 'in order' ? owed : owed.toReversed()).flatMap(desk.read);

      // Each webhook names its operation by itself, whichever comes first.
      const about = read.filter((notice) => isAbout(notice, requested, reference));
      const kinds = tellingsOf(about);
      const taken = verb === 'authorize' ? 'expired' : 'reversed';
      expect(order === 'in order' ? kinds : kinds.toReversed()).toEqual(['succeeded', taken]);
      expect(new Set(about.map(({ eventKey }) => eventKey)).size).toBe(about.length);
      // A part of an operation is taken back as such, and the whole without an amount.
      for (const { outcome } of about)
        if (outcome.kind === 'reversed' && outcome.money !== null)
          expect(outcome.money.currency).toBe(requested.money.currency);
    },
  );

  it('is taken back in equal parts, which stay two', async () => {
    const success = await succeed();
    if (!success) return;
    const { requested, reference } = success;
    desk.told();
    if (!desk.takeBackParts(verb, requested.key)) return;

    const about = desk.told().filter((notice) => isAbout(notice, requested, reference));

    const parts = about.flatMap(({ outcome }) => (outcome.kind === 'reversed' ? [outcome] : []));
    const { currency } = requested.money;
    expect(parts.map(({ money }) => money)).toEqual([
      { amount: 1, currency },
      { amount: 1, currency },
    ]);
    expect(new Set(parts.map(({ reversalReference }) => reversalReference)).size).toBe(2);
    expect(new Set(about.map(({ eventKey }) => eventKey)).size).toBe(2);
  });
}

/** Lists the kinds of the tellings. Several events may tell one decision, and an acceptance is none. */
function tellingsOf(notices: readonly Notice[]): readonly string[] {
  const tellings = notices
    .filter(({ outcome }) => outcome.kind !== 'accepted')
    .map(({ outcome }) =>
      outcome.kind === 'reversed' ? `reversed ${String(outcome.reversalReference)}` : outcome.kind,
    );
  return [...new Set(tellings)].map((telling) => telling.split(' ')[0] ?? '');
}

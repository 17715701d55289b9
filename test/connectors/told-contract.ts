import { expect, it } from '@jest/globals';
import type { Verb } from '../../src/connectors/requests.ts';
import { isAbout, type Desk } from './contract-desk.ts';

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

  if (verb !== 'authorize' && verb !== 'capture' && verb !== 'refund') return;

  it('is told by a webhook to be taken back after its success', async () => {
    const requested = desk.tells() ? await desk.ask(verb, 'approve') : null;
    if (!requested) return;
    const answer = await desk.call(requested);
    const reference = 'reference' in answer ? answer.reference : null;
    desk.told();
    if (!desk.takeBack(verb, requested.key)) return;

    const about = desk.told().filter((notice) => isAbout(notice, requested, reference));

    expect(about.at(-1)?.outcome.kind).toBe(verb === 'authorize' ? 'expired' : 'reversed');
    // A part of an operation is taken back as such, and the whole without an amount.
    for (const { outcome } of about)
      if (outcome.kind === 'reversed' && outcome.money !== null)
        expect(outcome.money.currency).toBe(requested.money.currency);
  });
}

import type { Verb } from '../../src/connectors/interface/requests.ts';
import { answerKindOf, answerOf, expectLearned } from './contract-answers.ts';
import { withoutSecurityCode } from './contract-calls.ts';
import { isAbout, type Desk } from './contract-desk.ts';
import { STATED } from './contract-faults.ts';
import { expect, it } from './runner.ts';

/** Tests the repeats after lost answers and errors. A provider that compares repeats makes them hard. */
export function describeRepeats(desk: Desk, verb: Verb): void {
  it.each(['approve', 'decline', 'fail'] as const)(
    'finds a lost %s by a repeat without the security code',
    async (decision) => {
      const requested = await desk.askFor(verb, decision);
      if (!requested) return;
      desk.failNext('lose_answer');
      expect(await desk.call(requested)).toEqual({ kind: 'unknown', cause: 'connection' });

      const learned = await desk.learn(withoutSecurityCode(requested));

      expectLearned(desk, { verb, decision }, learned);
      expect(desk.done(requested.key)).toBe(decision === 'approve' ? 1 : desk.done(requested.key));
    },
  );

  it('is not sure after its own server error was repeated, and the work is done once', async () => {
    const requested = await desk.ask(verb, 'approve');
    desk.failNext('error_after_work');
    await desk.call(requested);

    const answers = [await desk.repeat(requested), await desk.repeat(requested)];

    // A repeated error says that the first request arrived, and not how it ended.
    for (const { kind } of answers)
      expect([answerKindOf(desk, verb), 'succeeded', 'unknown']).toContain(kind);
    expectLearned(desk, { verb, decision: 'approve' }, await desk.learn(requested));
    expect(desk.done(requested.key)).toBe(1);
  });

  it.each(['decline', 'fail'] as const)('finds after a lost answer that it was a %s', async (decision) => {
    const requested = await desk.askFor(verb, decision);
    if (!requested) return;
    desk.failNext('lose_answer');

    const answers = [await desk.call(requested), await desk.call(requested)];

    expect(answers[0]).toEqual({ kind: 'unknown', cause: 'connection' });
    expect(answers[1]).toMatchObject(answerOf(desk, verb, decision, requested.money));
  });

  describeRepeatsRefusedBefore(desk, verb);
  if (desk.manner.comparesRepeats && verb === 'authorize') describeRefusedRepeats(desk);
  if (desk.manner.repeatsErrors)
    it('looks up, because the provider repeats its own server error', async () => {
      const requested = await desk.ask(verb, 'approve');
      desk.failNext('error_after_work');
      expect(await desk.call(requested)).toEqual({ kind: 'unknown', cause: 'server_error' });

      expect(await desk.call(requested)).toEqual({ kind: 'unknown', cause: 'server_error', arrived: true });

      if (desk.manner.looksUp)
        expect(await desk.lookUp(requested)).toMatchObject(answerOf(desk, verb, 'approve', requested.money));
      expect(desk.done(requested.key)).toBe(1);
    });
}

/** A refusal of the credentials or of the pace is about the repeat alone. The first request may have done the work. */
function describeRepeatsRefusedBefore(desk: Desk, verb: Verb): void {
  const stated = STATED.filter((fault) => desk.can(fault));
  if (stated.length > 0)
    it.each(stated)('is unknown after a lost answer if the repeat meets %s', async (fault) => {
      const other = await desk.ask(verb, 'approve');
      const requested = await desk.ask(verb, 'approve');
      desk.failNext('lose_answer');
      await desk.call(requested);
      const repeat = withoutSecurityCode(requested);
      desk.failNext(fault);

      const { kind } = await desk.call(repeat);

      // A connector may ask once more, such as with a new access token.
      expect(['unknown', answerKindOf(desk, verb)]).toContain(kind);
      // A repeat that only reads leaves the fault to the next request.
      if (kind !== 'unknown' || desk.manner.hidesOpen.includes(verb)) await desk.call(other);
      expectLearned(desk, { verb, decision: 'approve' }, await desk.learn(repeat));
      expect(desk.done(requested.key)).toBe(1);
    });
}

function describeRefusedRepeats(desk: Desk): void {
  it.each(['approve', 'decline', 'fail'] as const)(
    'looks up, because the provider refuses the repeat without the security code: %s',
    async (decision) => {
      const requested = await desk.askFor('authorize', decision);
      // Some means have no security code.
      if (requested?.verb !== 'authorize' || requested.card?.securityCode == null) return;
      desk.failNext('lose_answer');
      await desk.call(requested);

      const repeated = await desk.call(withoutSecurityCode(requested));

      expect(repeated).toEqual({ kind: 'unknown', cause: expect.any(String), arrived: true });
      if (desk.manner.looksUp)
        expectLearned(desk, { verb: 'authorize', decision }, await desk.lookUp(requested));
      expect(desk.done(requested.key)).toBeLessThanOrEqual(1);
    },
  );
}

/** Tests a payment whose reference was in a lost answer. */
export function describeLateReference(desk: Desk): void {
  it('is about a payment whose reference only a look-up or a webhook told', async () => {
    const paid = await desk.ask('authorize', 'approve');
    desk.failNext('lose_answer');
    await desk.call(paid);

    const found = desk.manner.looksUp ? await desk.lookUp(paid, null) : null;
    const told = desk.told().filter((notice) => isAbout(notice, paid, null));
    if (desk.tells()) expect(told.at(-1)?.reference).toMatch(/./);

    const references = [
      ...(found && 'reference' in found ? [found.reference] : []),
      ...told.map(({ reference }) => reference),
    ].filter((reference) => reference !== null);
    // All of them tell the same reference.
    expect(new Set(references).size).toBe(1);
    const capture = desk.captureOf(paid, references[0] ?? '');
    expect(await desk.call(capture)).toMatchObject(answerOf(desk, 'capture', 'approve', capture.money));
    expect(desk.done(capture.key)).toBe(1);
  });
}

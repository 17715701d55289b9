import type { ConnectorCall } from '../../src/connectors/calls/call.ts';
import type { Feature } from '../../src/connectors/interface/definition.ts';
import type { Outcome } from '../../src/connectors/interface/outcome.ts';
import type { Verb } from '../../src/connectors/interface/requests.ts';
import { describeBooks } from './books-contract.ts';
import { describeLostCancel } from './cancel-contract.ts';
import { answerKindOf, answerOf, CODE, RECEIVED } from './contract-answers.ts';
import { AWAY, CARD } from './contract-calls.ts';
import { createDesk, DEADLINE_MS, type Desk } from './contract-desk.ts';
import { STATED, UNKNOWN_AFTER } from './contract-faults.ts';
import type { Fault, Subject } from './contract-provider.ts';
import { describeNamed } from './named-contract.ts';
import { describeTold } from './told-contract.ts';
import { describeDefinition } from './definition-contract.ts';
import { describeElsewhere } from './elsewhere-contract.ts';
import { describeMeans } from './means-contract.ts';
import { describeLateReference, describeRepeats } from './repeat-contract.ts';
import { describeReturn } from './return-contract.ts';
import { describeSplits } from './splits-contract.ts';
import { afterAll, beforeAll, describe, expect, it } from './runner.ts';

const VERBS: readonly Verb[] = [
  ...(['authorize', 'increase', 'reauthorize', 'capture', 'refund', 'void', 'cancel'] as const),
];

/** The feature that a definition needs for a verb. */
const NEEDED: Readonly<Record<Verb, Feature | null>> = {
  authorize: null,
  increase: 'incremental_authorization',
  reauthorize: 'reauthorization',
  capture: 'delayed_capture',
  refund: 'refunds',
  void: 'void',
  cancel: 'cancel',
};

const SHORT_MS = 150;

/**
 * Defines the tests that hold for every connector and each of its definitions, under the rules of the only caller. The file
 * contract-provider.ts says how a provider differs from others.
 */
export function describeContract(subject: Subject): void {
  describe.each(subject.connector.definitions.map((definition) => [definition.id, definition] as const))(
    `${subject.connector.id} as %s, ${subject.name}`,
    (_, definition) => {
      const desk = createDesk(subject, definition);
      beforeAll(() => desk.open());
      afterAll(() => desk.close());
      describeDefinition(subject.connector, definition);
      // Gift cards have separate verbs, with separate tests.
      if (definition.method === 'gift-card') return;
      if (desk.manner.returns) describe('return', () => describeReturn(desk));
      else if (desk.manner.asksBuyer) describe('paid elsewhere', () => describeElsewhere(desk));
      describeMeans(desk, definition);
      describeSplits(desk, definition);
      describeLostCancel(desk, subject.connector, definition);
      const can = VERBS.filter((verb) => {
        const feature = NEEDED[verb];
        if (verb === 'authorize' && desk.manner.asksBuyer) return false;
        if (desk.manner.needsNothing.includes(verb)) return false;
        return feature === null || definition.supportedFeatures[feature];
      });
      describe.each(can)('%s', (verb) => {
        describeAnswers(desk, verb);
        describeFaults(desk, verb);
        describeRepeats(desk, verb);
        // Without the buyer, such a payment is not authorised. The tests of the return lose its first answer.
        if (verb === 'capture' && !desk.manner.asksBuyer) describeLateReference(desk);
        const isFoundByRepeat = desk.manner.foundByRepeat.includes(verb);
        if (desk.manner.looksUp && !isFoundByRepeat) describeLookUp(desk, verb);
        else describeNoLookUp(desk, verb);
        if (!subject.connector.webhooks || isFoundByRepeat || desk.manner.isSilent) return;
        if (desk.manner.onlyNames) describeNamed(desk, verb);
        else describeTold(desk, verb);
      });
      describeBooks(subject, definition, desk);
    },
  );
}

function describeAnswers(desk: Desk, verb: Verb): void {
  it('reads an approval as a success, with the requested amount, and does the work once', async () => {
    const requested = await desk.ask(verb, 'approve');

    expect(await desk.call(requested)).toMatchObject(answerOf(desk, verb, 'approve', requested.money));
    expect([desk.keys(), desk.done(requested.key)]).toEqual([[requested.key], 1]);
  });

  it.each(['decline', 'fail'] as const)('reads a %s as such, with a code', async (decision) => {
    const requested = await desk.askFor(verb, decision);
    if (!requested) return;

    expect(await desk.call(requested)).toMatchObject(answerOf(desk, verb, decision, requested.money));
  });

  it.each(['later_approve', 'later_decline'] as const)(
    'never reads an accepted request as decided: %s',
    async (decision) => {
      const requested = desk.manner.receives.includes(verb) ? null : await desk.askFor(verb, decision);
      if (!requested) return;

      expect(await desk.call(requested)).toMatchObject(RECEIVED);
      if (!desk.manner.looksUp) return;
      if (desk.can('still_deciding')) desk.failNextLookUp('still_deciding');
      expect(await desk.lookUp(requested)).toMatchObject({ kind: 'accepted' });
      desk.finish();
      expect(await desk.lookUp(requested)).toMatchObject(
        decision === 'later_approve'
          ? { kind: 'succeeded', money: requested.money }
          : { kind: 'declined', ...CODE },
      );
    },
  );

  it('gives a repeat the same answer under the same key, and the work is done once', async () => {
    const requested = await desk.ask(verb, 'approve');

    const answers = [await desk.call(requested), await desk.call(requested)];

    expect(answers[1]).toEqual(answers[0]);
    expect([new Set(desk.keys()), desk.done(requested.key)]).toEqual([new Set([requested.key]), 1]);
  });

  it('keeps concurrent calls apart', async () => {
    const requested = [];
    for (let count = 0; count < 5; count += 1) requested.push(await desk.ask(verb, 'approve'));

    const answers = await Promise.all(requested.map((each) => desk.call(each)));

    const references = answers.map((answer) => 'reference' in answer && answer.reference);
    expect(new Set(references).size).toBe(5);
    expect(desk.keys().toSorted()).toEqual(requested.map(({ key }) => key).toSorted());
  });

  it('reveals neither the card nor the secrets', async () => {
    const asked = [await desk.ask(verb, 'approve'), await desk.askFor(verb, 'decline')];

    const answers = await Promise.all(asked.flatMap((each) => (each ? [desk.call(each)] : [])));

    for (const secret of [CARD.number, ...desk.secrets()]) {
      expect(JSON.stringify(answers)).not.toContain(secret);
      expect(desk.logs()).not.toContain(secret);
    }
  });
}

function describeFaults(desk: Desk, verb: Verb): void {
  it.each(UNKNOWN_AFTER.filter(([fault]) => desk.can(fault)))(
    'reads %s as an unknown outcome, which a repeat finds',
    async (fault, cause) => {
      const requested = await desk.ask(verb, 'approve');
      desk.failNext(fault);

      const answer = await desk.call(requested);
      if (!isHarmless(desk, verb, fault))
        expect(answer).toEqual({ kind: 'unknown', cause, ...mayHaveArrived(fault, answer) });

      const learned = await desk.learn(requested);
      expect(new Set(desk.keys())).toEqual(new Set([requested.key]));
      // A provider that repeats its errors does so although nothing has happened.
      if (fault === 'error_before_work' && (learned === null || learned.kind === 'unknown'))
        return expect(desk.done(requested.key)).toBe(0);
      expect(['succeeded', answerKindOf(desk, verb)]).toContain(learned?.kind);
      expect(desk.done(requested.key)).toBe(1);
    },
  );

  const stated = STATED.filter((fault) => desk.can(fault));
  if (stated.length > 0)
    it.each(stated)('never takes %s for a decline', async (fault) => {
      const requested = await desk.ask(verb, 'approve');
      desk.failNext(fault);

      const { kind } = await desk.call(requested);

      // A connector may ask once more, such as with a new access token.
      expect(['failed', 'unknown', answerKindOf(desk, verb)]).toContain(kind);
      expect(desk.done(requested.key)).toBe(kind === answerKindOf(desk, verb) ? 1 : 0);
    });

  it('gives up at the deadline, and a late answer changes nothing', async () => {
    const requested = await desk.ask(verb, 'approve');
    desk.failNext('hang');
    const startedAt = performance.now();

    expect(await desk.call(requested, { deadlineMs: SHORT_MS })).toEqual({
      kind: 'unknown',
      cause: 'timeout',
    });

    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS / 2);
    desk.release();
    expect(await desk.call(requested)).toMatchObject(answerOf(desk, verb, 'approve', requested.money));
    expect(desk.done(requested.key)).toBe(1);
  });

  it('reports of an unreachable provider that the request never left', async () => {
    const requested = await desk.ask(verb, 'approve');

    expect(await desk.call(requested, { http: AWAY })).toEqual({
      kind: 'unknown',
      cause: 'connection',
      sent: false,
    });
    expect(desk.keys()).toEqual([]);
  });
}

const OTHER_MONEY: readonly Fault[] = ['other_amount', 'other_currency'];

/**
 * True if an answer may have nothing that the fault spoils. A verb that is only received may have no word or amount. A release
 * is of the whole payment and needs no amount.
 */
const isHarmless = ({ manner }: Desk, verb: Verb, fault: Fault): boolean =>
  manner.receives.includes(verb) || manner.wordless.includes(verb)
    ? UNKNOWN_AFTER.some(([each, cause]) => each === fault && cause === 'unreadable')
    : (verb === 'void' || verb === 'cancel') && OTHER_MONEY.includes(fault);

/** An answer about other money may say that only a look-up tells more. */
const mayHaveArrived = (fault: Fault, answer: Outcome): { readonly arrived?: true } =>
  OTHER_MONEY.includes(fault) && answer.kind === 'unknown' && answer.arrived ? { arrived: true } : {};

function describeLookUp(desk: Desk, verb: Verb): void {
  it.each([
    ['approve', 'with what it knows'],
    ['approve', 'without a reference'],
    ['decline', 'with what it knows'],
    ['decline', 'without a reference'],
    ['fail', 'with what it knows'],
    ['fail', 'without a reference'],
  ] as const)('is found by a look-up: %s, %s', async (decision, how) => {
    const requested = desk.manner.forgets.includes(decision) ? null : await desk.askFor(verb, decision);
    if (!requested) return;
    const answer = await desk.call(requested);

    const found = await (how === 'without a reference'
      ? desk.lookUp(requested, null)
      : desk.lookUp(requested));

    // A look-up without the payment may find nothing. It never finds something else.
    if (how === 'without a reference' && verb !== 'authorize' && found === null) return;
    if (desk.manner.hidesOpen.includes(verb)) {
      expect(found).toBeNull();
      const kind = decision === 'approve' ? 'succeeded' : 'declined';
      return expect(await lookUpShown(desk, requested)).toMatchObject({ kind });
    }
    expect({ ...found, avsResponseCode: null, cvvResponseCode: null }).toEqual({
      ...answer,
      avsResponseCode: null,
      cvvResponseCode: null,
    });
    expect([desk.keys(), desk.done(requested.key)]).toEqual([[requested.key], 1]);
  });

  it('is found by a look-up without a reference after a lost answer', async () => {
    const requested = await desk.ask(verb, 'approve');
    desk.failNext('lose_answer');
    await desk.call(requested);

    const found = await lookUpShown(desk, requested);

    expect(found).toMatchObject(shownOf(desk, requested));
    expect(desk.done(requested.key)).toBe(1);
  });

  it('is not found by a look-up when it never arrived, and the look-up does not do the work', async () => {
    const requested = await desk.ask(verb, 'approve');

    expect(await desk.lookUp(requested)).toBeNull();

    expect([desk.keys(), desk.done(requested.key)]).toEqual([[], 0]);
  });

  it.each(
    UNKNOWN_AFTER.filter(
      ([fault]) =>
        desk.can(fault) && ['lose_request', 'error_after_work', 'nonsense', 'other_money'].includes(fault),
    ),
  )('is unknown after a look-up that meets %s', async (fault, cause) => {
    const requested = await desk.ask(verb, 'approve');
    await desk.call(requested);
    desk.failNextLookUp(fault);

    const looked = await desk.lookUp(requested);
    if (!desk.manner.receives.includes(verb) || cause !== 'unreadable')
      expect(looked).toEqual({ kind: 'unknown', cause });
    expect(await lookUpShown(desk, requested)).toMatchObject(shownOf(desk, requested));
  });
}

/** Looks a request up. The provider decides first, where it shows only work with a decision. */
function lookUpShown(desk: Desk, requested: ConnectorCall): Promise<Outcome | null> {
  if (desk.manner.hidesOpen.includes(requested.verb)) desk.finish();
  return desk.lookUp(requested);
}

/** Returns the outcome that such a look-up shows of an approval. */
const shownOf = (desk: Desk, { verb, money }: ConnectorCall): object =>
  desk.manner.hidesOpen.includes(verb)
    ? { kind: 'succeeded', money }
    : answerOf(desk, verb, 'approve', money);

function describeNoLookUp(desk: Desk, verb: Verb): void {
  it.each(['a reference', 'no reference'])('is never decided by a look-up with %s', async (how) => {
    const requested = await desk.ask(verb, 'approve');
    await desk.call(requested);

    const found = await (how === 'a reference' ? desk.lookUp(requested) : desk.lookUp(requested, null));

    expect([undefined, 'unknown', 'accepted']).toContain(found?.kind);
    expect(desk.done(requested.key)).toBe(1);
  });
}

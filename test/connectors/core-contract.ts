import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Verb } from '../../src/connectors/interface/requests.ts';
import { until } from '../support/until.ts';
import { openCore, type Core, type PaysIn } from './core-desk.ts';
import { describeCoreReturns } from './core-return-contract.ts';
import { mannerOf, type Manner, type Subject } from './contract-provider.ts';

/** A subject in a running service. Its fake owes webhooks, and has `returnUrl` for buyers who come back. */
export type CoreSubject = {
  readonly subject: Subject;
  /** The payments without the buyer. */
  readonly direct: Payments;
  /** The payments whose buyers go to the provider's page. Absent without any. */
  readonly away?: Payments;
};

/** The payments of a definition, and how they are paid. */
type Payments = { readonly definition: string; readonly pays: PaysIn };

/**
 * Defines the tests of a connector in a running service. Real webhooks and buyers arrive at its addresses, and its database
 * tells the result.
 */
export function describeCore({ subject, direct, away }: CoreSubject): void {
  describe(`${subject.connector.id} in a running service, ${subject.name}`, () => {
    withCore(subject, direct, (core, manner) => {
      describeRepeats(core, manner);
      if (manner.isSilent) return;
      describeWebhooks(core, manner);
      describeTakenBack(core, manner);
    });
    if (away) withCore(subject, away, (core, manner) => describeCoreReturns(core, manner));
  });
}

function withCore(
  subject: Subject,
  { definition: definitionId, pays }: Payments,
  define: (core: () => Core, manner: Manner) => void,
): void {
  describe(definitionId, () => {
    const definition = subject.connector.definitions.find(({ id }) => id === definitionId);
    if (!definition) throw new Error(`The connector has no definition ${definitionId}`);
    let opened: Core | null = null;
    beforeAll(async () => {
      opened = await openCore(subject, definition, pays);
    });
    afterAll(() => opened?.close());
    define(
      () => {
        if (!opened) throw new Error('The service has not been started');
        return opened;
      },
      mannerOf(subject, definition),
    );
  });
}

function describeRepeats(coreOf: () => Core, { receives, looksUp }: Manner): void {
  /** Recovers an operation by repeats and look-ups, or by a webhook if nothing else tells its outcome. */
  const recover = async (core: Core, id: string, verb: Verb): Promise<void> => {
    await core.reconcile(id, verb);
    if (looksUp && !receives.includes(verb)) return;
    await core.deliver(core.owed());
    await core.applyEarly();
  };

  it('finds a lost authorisation without the security code, and captures under the late reference', async () => {
    const core = coreOf();
    // The service repeats a payment at once, while it still has the security code.
    core.provider.failNext('lose_answer', 'lose_answer');
    const id = await core.pay();
    expect(await core.operationOf(id, 'authorize')).toMatchObject({
      status: 'pending',
      providerReference: null,
    });

    await recover(core, id, 'authorize');

    expect(await core.ledger(id)).toEqual([`authorize ${core.money.amount}`]);
    expect(core.done(await core.keyOf(id, 'authorize'))).toBe(1);
    await core.capture(id);
    await recover(core, id, 'capture');
    expect((await core.ledger(id)).at(-1)).toBe(`capture ${core.money.amount}`);
    expect(core.done(await core.keyOf(id, 'capture'))).toBe(1);
  });

  it.each(['capture', 'refund'] as const)('finds a %s after a server error of the provider', async (verb) => {
    const core = coreOf();
    const id = await core.pay(verb === 'refund' ? 'CAPTURE' : 'AUTHORIZE');
    const before = await core.ledger(id);
    core.provider.failNext('error_after_work');
    await core[verb](id);
    expect(await core.ledger(id)).toEqual(before);

    await recover(core, id, verb);

    expect(await core.ledger(id)).toEqual([...before, `${verb} ${core.money.amount}`]);
    expect(core.done(await core.keyOf(id, verb))).toBe(1);
  });

  it('books a capture by the answer or by the webhook, and not by a mere receipt', async () => {
    const core = coreOf();
    const id = await core.pay();
    await core.capture(id);
    const captured = [`authorize ${core.money.amount}`, `capture ${core.money.amount}`];
    expect(await core.ledger(id)).toEqual(receives.includes('capture') ? captured.slice(0, 1) : captured);

    await core.deliver(core.owed());

    expect(await core.ledger(id)).toEqual(captured);
  });
}

function describeWebhooks(coreOf: () => Core, { onlyNames }: Manner): void {
  it('books a capture once, with a webhook before the answer that comes once more after it', async () => {
    const core = coreOf();
    const id = await core.pay();
    await core.deliver(core.owed());
    const before = core.provider.done().length;
    core.provider.failNext('hang');
    const capturing = core.capture(id);
    await until(() => core.provider.done().length > before, 'the work of the provider');
    const owed = core.owed();

    expect(await core.deliver(owed)).toEqual(owed.map(() => 200));

    core.provider.release();
    await capturing;
    await core.applyEarly();
    const captured = [`authorize ${core.money.amount}`, `capture ${core.money.amount}`];
    expect(await core.ledger(id)).toEqual(captured);
    const stored = await core.stored();
    expect(await core.deliver(owed)).toEqual(owed.map(() => 200));
    expect([await core.ledger(id), await core.stored()]).toEqual([captured, stored]);
    expect(core.done(await core.keyOf(id, 'capture'))).toBe(1);
  });

  // A webhook that only names a payment needs no signature.
  const takesForeign = onlyNames ? 200 : 401;

  it('takes nothing from a webhook with the signature of another payment service', async () => {
    const core = coreOf();
    const id = await core.pay();
    await core.deliver(core.owed());
    core.provider.failNext('lose_answer');
    await core.capture(id);
    const [owed, stored] = [core.owed(), await core.stored()];

    expect(await core.deliver(owed, core.another)).toEqual(owed.map(() => takesForeign));

    expect(await core.stored()).toBe(stored);
    expect(await core.ledger(id)).toEqual([`authorize ${core.money.amount}`]);
    await core.deliver(owed);
    expect((await core.ledger(id)).at(-1)).toBe(`capture ${core.money.amount}`);
  });

  it('settles no operation of another payment service with the same secrets', async () => {
    const core = coreOf();
    const twin = await core.createTwin();
    const id = await core.pay();
    await core.deliver(core.owed());
    core.provider.failNext('lose_answer');
    await core.capture(id);
    const owed = core.owed();

    expect(await core.deliver(owed, twin)).toEqual(owed.map(() => 200));

    await core.applyEarly(twin);
    expect(await core.ledger(id)).toEqual([`authorize ${core.money.amount}`]);
    await core.deliver(owed);
    expect((await core.ledger(id)).at(-1)).toBe(`capture ${core.money.amount}`);
  });
}

function describeTakenBack(coreOf: () => Core, { receives, onlyNames }: Manner): void {
  it.each([
    ['capture', 'in order'],
    ['capture', 'in reverse'],
    ['refund', 'in order'],
    ['refund', 'in reverse'],
  ] as const)('books a %s and its reversal once each, with webhooks %s', async (verb, order) => {
    const core = coreOf();
    const id = await core.pay(verb === 'refund' ? 'CAPTURE' : 'AUTHORIZE');
    await core.deliver(core.owed());
    const before = await core.ledger(id);
    // Without an answer, the webhooks alone tell what happened.
    core.provider.failNext('lose_answer');
    await core[verb](id);
    const success = core.owed();
    if (!core.provider.takeBack?.(verb, await core.keyOf(id, verb))) return;
    const reversal = core.owed();
    const [first, second] = order === 'in order' ? [success, reversal] : [reversal, success];

    await core.deliver(first);
    await core.applyEarly();
    await core.deliver([...second, ...first]);
    await core.applyEarly();

    const { amount } = core.money;
    // A look-up sees the end alone, and not the success before it.
    const booked = onlyNames ? [] : [`${verb} ${amount}`, `${verb}_reversal ${amount}`];
    expect(await core.ledger(id)).toEqual([...before, ...booked]);
    const { status } = await core.operationOf(id, verb);
    expect(status).toBe(onlyNames ? 'failed' : 'succeeded');
  });

  it('captures nothing of an authorisation that has expired', async () => {
    const core = coreOf();
    const id = await core.pay();
    await core.deliver(core.owed());
    if (!core.provider.takeBack?.('authorize', await core.keyOf(id, 'authorize'))) return;
    const before = core.provider.keys().length;

    await core.deliver(core.owed());

    expect((await core.payment(id)).expiredAt).not.toBeNull();
    expect((await core.capture(id)).userErrors).toMatchObject([{ code: expect.any(String) }]);
    expect(core.provider.keys().length).toBe(before);
  });

  if (receives.length > 0)
    it.each(['capture', 'refund'] as const)('takes a mere receipt of a %s for nothing', async (verb) => {
      const core = coreOf();
      const id = await core.pay(verb === 'refund' ? 'CAPTURE' : 'AUTHORIZE');
      const before = await core.ledger(id);
      await core[verb](id);
      await core.reconcile(id, verb);
      expect(await core.operationOf(id, verb)).toMatchObject({ status: 'pending' });
      expect(await core.ledger(id)).toEqual(before);
    });
}

import type { Desk } from './contract-desk.ts';
import { UNKNOWN_AFTER } from './contract-faults.ts';
import { expect, it } from './runner.ts';

/** Tests the way back of a buyer, where the provider has its own page. */
export function describeReturn(desk: Desk): void {
  it('waits for the buyer at an address that a browser can open, the same on a repeat', async () => {
    const away = await desk.leave();
    if (!away) return;
    const answers = [await desk.call(away), await desk.call(away)];
    expect(answers[0]).toMatchObject({
      kind: 'accepted',
      reference: expect.stringMatching(/./),
      approvalUrl: expect.stringMatching(/^https?:/),
    });
    expect(answers[1]).toEqual(answers[0]);
    expect(desk.done(away.key)).toBe(0);
  });

  it('goes to the page by a form, the same on a repeat, and comes back', async () => {
    const away = await desk.leave('by a form');
    if (!away) return;
    const answers = [await desk.call(away), await desk.call(away)];
    expect(answers[0]).toMatchObject({
      kind: 'accepted',
      approvalUrl: expect.stringMatching(/^https?:/),
      approvalForm: expect.any(Object),
    });
    expect(answers[1]).toEqual(answers[0]);
    expect(await desk.resume(away, 'approve')).toMatchObject({ kind: 'succeeded', money: away.money });
    expect(desk.done(away.key)).toBe(1);
  });

  it.each(UNKNOWN_AFTER)(
    'reads %s as an unknown outcome of the beginning, which a repeat finds',
    async (fault) => {
      const away = await desk.leave();
      if (!away || !desk.can(fault)) return;
      desk.failNext(fault);
      expect(['unknown', 'accepted']).toContain((await desk.call(away)).kind);
      const learned = await desk.learn(away);
      // A provider that repeats its errors has begun nothing.
      if (fault === 'error_before_work' && (learned === null || learned.kind === 'unknown')) return;
      // The buyer may have decided before the look-up.
      if (learned?.kind === 'succeeded') return expect(desk.done(away.key)).toBe(1);
      expect(learned).toMatchObject({ kind: 'accepted', approvalUrl: expect.stringMatching(/^https?:/) });
      expect(desk.done(away.key)).toBe(0);
      expect(await desk.resume(away, 'approve')).toMatchObject({ kind: 'succeeded', money: away.money });
      expect(desk.done(away.key)).toBe(1);
    },
  );

  it('goes on after an approval, with the requested amount, and does the work once', async () => {
    const away = await desk.leave();
    if (!away) return;
    await desk.call(away);
    const answers = [await desk.resume(away, 'approve'), await desk.resume(away, 'approve')];
    expect(answers[0]).toMatchObject({
      kind: 'succeeded',
      reference: expect.stringMatching(/./),
      money: away.money,
    });
    expect(answers[1]).toEqual(answers[0]);
    expect([new Set(desk.keys()), desk.done(away.key)]).toEqual([new Set([away.key]), 1]);
  });

  it('ends after a refusal, with a code', async () => {
    const away = await desk.leave();
    if (!away) return;
    await desk.call(away);
    const refused = await desk.resume(away, 'refuse');
    expect(['declined', 'failed']).toContain(refused.kind);
    expect(refused).toMatchObject({ errorCode: expect.stringMatching(/^[a-z_]+$/) });
  });

  it.each([
    ['approve', 'refuse', 'succeeded'],
    ['approve', 'nothing', 'succeeded'],
    ['refuse', 'approve', 'failed'],
    ['refuse', 'nothing', 'failed'],
  ] as const)('keeps the decision when the buyer goes back: %s, then %s', async (decision, then, kind) => {
    const away = await desk.leave();
    if (!away) return;
    await desk.call(away);
    const first = await desk.resume(away, decision);
    expect(['failed', 'declined'].includes(first.kind) ? 'failed' : first.kind).toBe(kind);
    if (decision === 'refuse' && !desk.manner.keepsRefusals) return expect(desk.done(away.key)).toBe(0);

    const second = await desk.resume(away, then);
    // A return without a word tells nothing where the provider cannot be asked. The core has the decision already.
    if (then === 'nothing' && !desk.manner.looksUp) expect(second.kind).toBe('accepted');
    else expect(second).toEqual(first);
    // The buyer may open the page again, too.
    const opened = await desk.call(away);
    expect(['accepted', first.kind]).toContain(opened.kind);
    expect(await desk.resume(away, decision)).toEqual(first);
    expect(desk.done(away.key)).toBe(1);
  });

  it('still waits after a return without a decision, and goes on after the next', async () => {
    const away = await desk.leave();
    if (!away) return;
    await desk.call(away);
    expect(await desk.resume(away, 'nothing')).toMatchObject({
      kind: 'accepted',
      approvalUrl: expect.stringMatching(/^https?:/),
    });
    expect(await desk.resume(away, 'approve')).toMatchObject({ kind: 'succeeded' });
  });

  it.each(UNKNOWN_AFTER)(
    'reads %s as an unknown outcome of a return, which a repeat finds',
    async (fault, cause) => {
      const away = await desk.leave();
      if (!away || !desk.can(fault)) return;
      await desk.call(away);
      desk.failNext(fault);
      expect(await desk.resume(away, 'approve')).toEqual({ kind: 'unknown', cause });
      expect(await desk.resume(away, 'approve')).toMatchObject({ kind: 'succeeded', money: away.money });
      expect(desk.done(away.key)).toBe(1);
    },
  );

  it('ends when the buyer never comes back, the same on a repeat, and holds nothing', async () => {
    const away = await desk.leave();
    if (!away) return;
    await desk.call(away);
    const ended = await desk.abandon(away);
    expect(ended).toMatchObject(INCOMPLETE);
    expect(await desk.abandon(away)).toEqual(desk.manner.looksUp ? ended : null);
    expect([new Set(desk.keys()), desk.done(away.key)]).toEqual([new Set([away.key]), 0]);
  });

  it('never fails with money held when the buyer approves at the end of the time', async () => {
    const away = await desk.leave();
    if (!away) return;
    await desk.call(away);
    desk.decide(away, 'approve');
    const ended = await desk.abandon(away);
    if (ended?.kind !== 'succeeded') expect(ended).toMatchObject(INCOMPLETE);
    expect(desk.done(away.key)).toBe(ended?.kind === 'succeeded' ? 1 : 0);
  });

  it.each(UNREAD)('reads %s as an unknown end of the time, which a repeat finds', async (fault) => {
    const away = await desk.leave();
    if (!away || !desk.can(fault) || !desk.manner.looksUp) return;
    await desk.call(away);
    desk.failNextLookUp(fault);
    expect(await desk.abandon(away)).toMatchObject({ kind: 'unknown' });
    expect(await desk.abandon(away)).toMatchObject(INCOMPLETE);
    expect(desk.done(away.key)).toBe(0);
  });

  it('logs none of the returned parameters', async () => {
    const away = await desk.leave();
    if (!away) return;
    await desk.call(away);
    if (desk.can('nonsense')) desk.failNext('nonsense');
    await desk.resume(away, 'approve');
    for (const value of desk.values()) expect(desk.logs()).not.toContain(value);
  });
}

/** The faults after which nothing was read. The end of a payment moves no money, so another amount says nothing. */
const UNREAD = UNKNOWN_AFTER.filter(([fault]) => !/^(other_|not_found)/.test(fault));

/** The end of a payment whose buyer never came back. */
const INCOMPLETE = { kind: 'failed', errorCode: 'incomplete_buyer_approval' };

import { describe, expect, it } from '@jest/globals';
import { approvalExpiresAt, type ApprovalRequest } from '../../src/modules/transactions/create/approval.ts';

const NOW = new Date('2026-01-31T09:30:00.000Z');
const HOUR = 3_600_000;
const inHours = (hours: number, ms = 0): Date => new Date(NOW.getTime() + hours * HOUR + ms);
const unix = (moment: Date): number => Math.floor(moment.getTime() / 1000);

/** The default is an hour, the maximum three days, and the connection option has a name. */
const WAITING = {
  id: 'push-payment',
  approvalWindow: { defaultMs: HOUR, maxMs: 72 * HOUR, option: 'expires_at' },
} as const;

const expiryOf = (request: Partial<ApprovalRequest>) =>
  approvalExpiresAt({ given: null, options: null, definition: WAITING, now: NOW, ...request });

describe('approvalExpiresAt', () => {
  it.each<[string, Partial<ApprovalRequest>, Date | null]>([
    ['the default when nothing is given', {}, inHours(1)],
    ['the given time', { given: inHours(2) }, inHours(2)],
    ['the given time, a millisecond from now', { given: inHours(0, 1) }, inHours(0, 1)],
    ['the given time, to the last millisecond of the window', { given: inHours(72) }, inHours(72)],
    ['the option', { options: { 'push-payment': { expires_at: unix(inHours(5)) } } }, inHours(5)],
    [
      'the option before what is given',
      { given: inHours(2), options: { 'push-payment': { expires_at: unix(inHours(5)) } } },
      inHours(5),
    ],
    [
      'the option, whatever the maximum and what is given',
      { given: inHours(73), options: { 'push-payment': { expires_at: unix(inHours(500)) } } },
      inHours(500),
    ],
    [
      'the default beside an option that is null',
      { options: { 'push-payment': { expires_at: null } } },
      inHours(1),
    ],
    ['the default beside options that are null', { options: { 'push-payment': null } }, inHours(1)],
    ['the default beside other options', { options: { 'push-payment': { other: 1 } } }, inHours(1)],
    ['the default beside options of others', { options: { other: { expires_at: 1 } } }, inHours(1)],
    [
      'the given time when the definition has no option',
      {
        given: inHours(2),
        options: { 'push-payment': { expires_at: 1 } },
        definition: { ...WAITING, approvalWindow: { ...WAITING.approvalWindow, option: null } },
      },
      inHours(2),
    ],
    [
      'null where nothing waits for the buyer',
      { given: inHours(1_000), definition: { id: 'card', approvalWindow: null } },
      null,
    ],
  ])('is %s', (_, request, moment) => {
    expect(expiryOf(request)).toEqual({ ok: true, value: moment });
  });

  it('refuses a time beyond the maximum, and names the maximum in hours', () => {
    expect(expiryOf({ given: inHours(72, 1) })).toEqual({
      ok: false,
      refusals: [
        {
          kind: 'InvalidInput',
          path: ['input', 'approvalExpiresAt'],
          message: 'The chosen payment service allows at most 72 hours from now.',
        },
      ],
    });
  });

  it.each([
    unix(NOW),
    unix(inHours(-1)),
    0,
    -1,
    unix(inHours(1)) + 0.5,
    // Milliseconds read as seconds exceed every valid date.
    inHours(1).getTime(),
    String(unix(inHours(1))),
    true,
    [],
    {},
  ])('refuses the option %j', (value) => {
    expect(expiryOf({ options: { 'push-payment': { expires_at: value } } })).toEqual({
      ok: false,
      refusals: [
        {
          kind: 'InvalidInput',
          path: ['input', 'connectionOptions', 'push-payment', 'expires_at'],
          message: 'Must be a moment in the future, in whole unix seconds.',
        },
      ],
    });
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sandbox } from '../../src/connectors/sandbox/index.ts';
import {
  ACCEPTANCES,
  compareUnansweredAgain,
  holdPayments,
  readProgress,
  releasePayments,
  sweepDue,
  type ProvedService,
} from '../../src/modules/transactions/index.ts';
import { TRY_AGAIN_AFTER_MS } from '../../src/modules/transactions/sweep/passes.ts';
import type { BooksAnswer } from '../../src/connectors/sandbox/read-books.ts';
import { paygraph } from '../support/command.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { startHarness, type Harness } from './harness.ts';

// A payment whose provider gives no answer is asked about again later. The comparison of the others goes on.

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** An answer that no program can read. */
const UNREADABLE = { result: 'found' } as unknown as BooksAnswer;

/** The payments whose look meets a fault of the connector, by the provider's id. */
const faulty = new Set<string>();

/** Runs before the next look, once. */
let meanwhile: (() => Promise<unknown>) | null = null;

/** The payments that were asked about, by the provider's id. */
const asked: string[] = [];

/** A connector with a fault of its own: its notices of some payments are none. */
const connector: typeof sandbox = {
  ...sandbox,
  readBooks: async (context, request) => {
    asked.push(request.reference);
    const run = meanwhile;
    meanwhile = null;
    await run?.();
    const books = await sandbox.readBooks?.(context, request);
    if (books?.kind === 'books' && faulty.has(request.reference))
      return { ...books, notices: [null as never] };
    return books ?? null;
  },
};

let harness: Harness;

beforeEach(async () => {
  faulty.clear();
  harness = await startHarness('mock-card', {
    clock: createSteppedClock(),
    connectors: [connector],
    settings: { PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '6000' },
  });
});
afterEach(() => harness.stop());

/** Makes payments, oldest first. The provider answers about each. Returns the ids here and there. */
async function payments(count: number): Promise<readonly { readonly id: string; readonly there: string }[]> {
  const made: { id: string; there: string }[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const id = await harness.authorized(1000);
    const row = await harness.server.app.db.prisma.transaction.findFirstOrThrow({ where: { id } });
    made.push({ id, there: row.paymentServiceTransactionId ?? '' });
    harness.clock.advance(1_000);
  }
  for (const { there } of made) answers(there);
  return made;
}

/** Lets the provider answer about a payment. */
const answers = (there: string): void =>
  void harness.provider.paymentBooks.set(there, {
    ...{ result: 'found', state: 'open', authorized: 1000, currency: 'USD', events: [] },
  });

const silence = (there: string): void => void harness.provider.paymentBooks.set(there, UNREADABLE);

const hold = (): Promise<boolean> =>
  holdPayments(harness.server.app, { restoredTo: harness.clock.now(), paymentsSince: null });

/** Runs one round after a pause. */
async function sweepAfter(ms: number): Promise<void> {
  harness.clock.advance(ms);
  expect(await sweepDue(harness.server.app)).toBe(true);
}

async function progress(): Promise<ProvedService | undefined> {
  return (await readProgress(harness.server.app))?.services[0];
}

const triesOf = async (id: string): Promise<number | undefined> => {
  const { prisma } = harness.server.app.db;
  return (await prisma.unansweredPayment.findFirst({ where: { transactionId: id } }))?.tries;
};

describe('a payment without an answer, while payments are held back', () => {
  it('lets the others be compared, and is told with its cause', async () => {
    const [, silent] = await payments(3);
    silence(silent?.there ?? '');
    await hold();

    await sweepAfter(MINUTE_MS);

    const nextAt = new Date(harness.clock.now().getTime() + MINUTE_MS);
    const { unanswered, ...others } = (await progress()) ?? {};
    expect(others).toMatchObject({ state: 'compared', compared: 2, untold: 0, left: 0 });
    expect(unanswered).toMatchObject([{ cause: 'unreadable', payments: 1, transactionIds: [silent?.id] }]);
    expect(new Date(unanswered?.[0]?.nextAt ?? '')).toEqual(nextAt);
  });

  it('stays in the way of the release after a command to ask again', async () => {
    const [, silent] = await payments(3);
    silence(silent?.there ?? '');
    await hold();
    await sweepAfter(MINUTE_MS);
    expect(await releasePayments(harness.server.app, [])).toMatchObject({ ok: false });

    await compareUnansweredAgain(harness.server.app);

    expect((await progress())?.unanswered).toMatchObject([{ transactionIds: [silent?.id] }]);
    expect(await releasePayments(harness.server.app, [])).toMatchObject({
      ...{ ok: false, refusals: [{ doubt: 'unanswered', count: 1 }] },
    });
  });

  it('is asked about nine times with growing pauses, and once more on demand', async () => {
    const [silent] = await payments(2);
    silence(silent?.there ?? '');
    // Between two ages, so that nothing else asks.
    harness.clock.advance(8 * DAY_MS);
    await hold();
    await sweepAfter(MINUTE_MS);

    for (const [index, pauseMs] of TRY_AGAIN_AFTER_MS.entries()) {
      await sweepAfter(pauseMs - 20_000);
      expect(await triesOf(silent?.id ?? '')).toBe(index + 1);
      await sweepAfter(20_000);
      expect(await triesOf(silent?.id ?? '')).toBe(index + 2);
    }

    await sweepAfter(DAY_MS);
    expect(await triesOf(silent?.id ?? '')).toBe(9);
    expect((await progress())?.unanswered).toMatchObject([{ payments: 1, nextAt: null }]);
    answers(silent?.there ?? '');
    await sweepAfter(MINUTE_MS);
    expect((await progress())?.unanswered).toHaveLength(1);
    expect(await compareUnansweredAgain(harness.server.app)).toBe(1);
    await sweepAfter(MINUTE_MS);
    expect(await progress()).toMatchObject({ state: 'compared', compared: 2, unanswered: [] });
  });

  it('keeps the hold, until the operator accepts it by its own option', async () => {
    const [silent] = await payments(2);
    silence(silent?.there ?? '');
    await hold();
    await sweepAfter(MINUTE_MS);
    const { app } = harness.server;
    const reason = { doubt: 'unanswered', count: 1 };

    const others = ACCEPTANCES.filter((each) => each !== 'unanswered');
    expect(await releasePayments(app, others)).toEqual({ ok: false, refusals: [reason] });

    expect(await readProgress(app)).not.toBeNull();
    const { code, stdout } = await paygraph(['restored', '--end', '--accept-unanswered'], {
      DATABASE_URL: app.config.DATABASE_DIRECT_URL ?? app.config.DATABASE_URL ?? '',
    }).ended;
    expect([code, stdout]).toEqual([
      0,
      'Accepted: payments whose providers gave no answer, 1.\nPayments are not held back.\n',
    ]);
    const [released] = await app.db.prisma.auditEntry.findMany({ where: { action: 'payments.released' } });
    expect(JSON.parse(String(released?.after))).toMatchObject({
      payment_services: [{ payments: 0, unanswered: 1 }],
      accepted: ['unanswered'],
    });
  });

  it('counts as unproven after the end of its payment service', async () => {
    const [silent] = await payments(2);
    silence(silent?.there ?? '');
    await hold();
    await sweepAfter(MINUTE_MS);
    const { app } = harness.server;
    await app.db.prisma.paymentService.updateMany({ data: { deletedAt: harness.clock.now() } });

    expect(await progress()).toMatchObject({ state: 'unproven', left: 1, unanswered: [] });
    expect(await releasePayments(app, ['unanswered'])).toEqual({
      ...{ ok: false, refusals: [{ doubt: 'unproven', count: 1 }] },
    });
  });

  it('is told as a fault if the look fails here', async () => {
    const [, broken] = await payments(3);
    faulty.add(broken?.there ?? '');
    await hold();

    await sweepAfter(MINUTE_MS);

    expect(await progress()).toMatchObject({
      ...{ state: 'compared', compared: 2 },
      unanswered: [{ cause: 'fault', payments: 1, transactionIds: [broken?.id] }],
    });
  });
});

describe('a provider that gives no answer at all', () => {
  it('is asked about three payments a minute, and about all when it is back', async () => {
    const all = await payments(8);
    for (const { there } of all) silence(there);
    await hold();

    await sweepAfter(MINUTE_MS);
    harness.clock.advance(59_000);
    expect(await sweepDue(harness.server.app)).toBe(false);
    await sweepAfter(1_000);

    expect(await progress()).toMatchObject({ state: 'comparing', left: 2, unanswered: [{ payments: 6 }] });
    // The payments that were put aside are due, and lose no try while the provider is away.
    expect(await triesOf(all.at(-1)?.id ?? '')).toBe(1);
    for (const { there } of all) answers(there);
    await sweepAfter(MINUTE_MS);
    expect(await progress()).toMatchObject({ state: 'compared', compared: 8, unanswered: [] });
  });
});

it('a round that outlives its lease leaves the sweep to the process that claimed it since', async () => {
  await payments(1);
  await hold();
  const { prisma } = harness.server.app.db;
  const claimed = { nextAt: new Date(harness.clock.now().getTime() + DAY_MS) };
  meanwhile = () => prisma.booksSweep.updateMany({ data: claimed });

  await sweepAfter(MINUTE_MS);

  expect(await prisma.booksSweep.findMany()).toMatchObject([{ ...claimed, proof: null }]);
});

describe('a payment without an answer at its age', () => {
  it('lets older and younger payments be compared, and is asked about again', async () => {
    await sweepAfter(0);
    const [first, silent, last] = await payments(3);
    silence(silent?.there ?? '');

    await sweepAfter(16 * MINUTE_MS);

    expect(await triesOf(silent?.id ?? '')).toBe(1);
    expect([await triesOf(first?.id ?? ''), await triesOf(last?.id ?? '')]).toEqual([undefined, undefined]);
    await sweepAfter(MINUTE_MS);
    expect(await triesOf(silent?.id ?? '')).toBe(2);
    answers(silent?.there ?? '');
    await sweepAfter(2 * MINUTE_MS);
    expect(await triesOf(silent?.id ?? '')).toBeUndefined();
  });

  it('stops no comparison of another age, and no other try', async () => {
    await sweepAfter(0);
    const [older] = await payments(1);
    harness.clock.advance(20 * MINUTE_MS);
    const [waiting] = await payments(1);
    silence(waiting?.there ?? '');
    await sweepAfter(16 * MINUTE_MS);
    harness.clock.advance(10 * MINUTE_MS);
    const [younger] = await payments(1);
    silence(younger?.there ?? '');
    answers(waiting?.there ?? '');
    asked.length = 0;

    await sweepAfter(16 * MINUTE_MS);

    expect(asked).toEqual([younger, older, waiting].map((payment) => payment?.there));
    expect([await triesOf(younger?.id ?? ''), await triesOf(waiting?.id ?? '')]).toEqual([1, undefined]);
  });

  it('is asked about once in a round in which it is due and has an age', async () => {
    await sweepAfter(0);
    const [silent] = await payments(1);
    silence(silent?.there ?? '');
    await sweepAfter(16 * MINUTE_MS);
    asked.length = 0;

    await sweepAfter(60 * MINUTE_MS);

    expect(asked).toEqual([silent?.there]);
  });

  it('has new tries at its next age, after the last one', async () => {
    await sweepAfter(0);
    const [silent] = await payments(1);
    silence(silent?.there ?? '');
    await sweepAfter(16 * MINUTE_MS);
    const { prisma } = harness.server.app.db;
    await prisma.unansweredPayment.updateMany({ data: { tries: 9, nextAt: null } });

    await sweepAfter(60 * MINUTE_MS);

    expect(await prisma.unansweredPayment.findMany()).toMatchObject([
      { tries: 1, nextAt: new Date(harness.clock.now().getTime() + MINUTE_MS) },
    ]);
  });

  it('is forgotten when nothing is left to compare', async () => {
    await sweepAfter(0);
    const [silent] = await payments(1);
    silence(silent?.there ?? '');
    await sweepAfter(16 * MINUTE_MS);
    expect(await triesOf(silent?.id ?? '')).toBe(1);

    await harness.pass(0);
    await harness.void(silent?.id ?? '');
    await sweepAfter(MINUTE_MS);

    expect(await triesOf(silent?.id ?? '')).toBeUndefined();
  });
});

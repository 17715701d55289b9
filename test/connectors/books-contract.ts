import type { FoundPayment, ProviderBooks } from '../../src/connectors/notices/books.ts';
import type { Definition } from '../../src/connectors/interface/definition.ts';
import type { Unknown } from '../../src/connectors/interface/outcome.ts';
import type { Verb } from '../../src/connectors/interface/requests.ts';
import type { Notice } from '../../src/connectors/notices/webhook.ts';
import type { Changes, Desk } from './contract-desk.ts';
import { STATED, UNKNOWN_AFTER } from './contract-faults.ts';
import { mannerOf, type Fault, type Subject } from './contract-provider.ts';
import { describe, expect, it } from './runner.ts';

const SHORT_MS = 150;

/** The parts that we refund, and that a person refunds or captures. Minor units. */
const [OURS, THEIRS] = [100, 200];

/**
 * Tests the optional verbs `readBooks` and `paymentOf`. A payment has operations of ours, and of a person at the provider. Needs
 * a provider that keeps payments.
 */
export function describeBooks(subject: Subject, definition: Definition, desk: Desk): void {
  const { connector } = subject;
  const { delayed_capture: captures, refunds, void: voids } = definition.supportedFeatures;
  if (!mannerOf(subject, definition).keepsPayments || !refunds) return;
  if ('readBooks' in connector)
    describe('readBooks', () => {
      describeRefunds(desk, captures);
      if (captures) describeCapture(desk);
      if (captures && voids) describeVoid(desk);
      describeReading(desk, {
        read: ({ reference }, changes) => desk.readBooks(reference, changes),
        readOther: ({ reference }) => desk.readBooks(otherThan(reference)),
      });
    });
  if ('paymentOf' in connector && captures)
    describe('paymentOf', () => {
      it('finds the payment of a capture', async () => {
        const { reference, capture } = await refunded(desk);
        expect(await desk.paymentOf(capture.reference)).toEqual({ kind: 'found', reference });
      });
      describeReading(desk, {
        read: ({ capture }, changes) => desk.paymentOf(capture.reference, changes),
        readOther: ({ capture }) => desk.paymentOf(otherThan(capture.reference)),
      });
    });
}

/** Returns a reference that the provider never gave. */
const otherThan = (reference: string): string =>
  `${reference.slice(0, -1)}${reference.endsWith('A') ? 'B' : 'A'}`;

/** Makes a payment with a refund of ours, and one of a person. The webhooks of both tell `told`. */
async function refunded(desk: Desk) {
  const requested = await desk.ask('refund', 'approve');
  const [capture] = requested.verb === 'refund' ? requested.captures : [];
  if (requested.verb !== 'refund' || !capture) throw new Error('The refund names no capture');
  const { key, money, reference } = requested;
  const ours = { ...money, amount: OURS };
  await desk.call({ ...requested, money: ours, captures: [{ ...capture, amount: OURS }] });
  const theirs = desk.hand().refund(reference, THEIRS);
  return { ...{ reference, key, money, capture, ours, theirs }, told: desk.told() };
}

async function wholeOf(desk: Desk, reference: string): Promise<ProviderBooks> {
  const books = await desk.readBooks(reference);
  if (books?.kind !== 'books') throw new Error(`The books are ${JSON.stringify(books)}`);
  return books;
}

/** Returns the successes of a verb, as far as they name the operation and its money. */
const madeBy = (verb: Verb, notices: readonly Notice[]) =>
  notices.flatMap(({ outcome, key, reference, paymentReference, ...notice }) =>
    notice.verb === verb && outcome.kind === 'succeeded'
      ? [{ key, reference, paymentReference, money: outcome.money }]
      : [],
  );

/** Expects that webhooks gave the same ids and the same money. Webhooks that only name a payment give none. */
function expectTold(desk: Desk, verb: Verb, told: readonly Notice[], notices: readonly Notice[]): void {
  if (!desk.tells()) return;
  const factsOf = (of: readonly Notice[]) =>
    madeBy(verb, of).map(({ reference, money }) => ({ reference, money }));
  for (const fact of factsOf(notices)) expect(factsOf(told)).toContainEqual(fact);
}

const SOME_ID = expect.stringMatching(/./);

function describeRefunds(desk: Desk, captures: boolean): void {
  it('names our refund by our key, and the refund of a person by its id', async () => {
    const { reference: paymentReference, key, money, capture, ours, theirs, told } = await refunded(desk);

    const { notices, authorized } = await wholeOf(desk, paymentReference);

    expect(authorized).toEqual(money);
    const refunds = madeBy('refund', notices);
    expect(refunds).toHaveLength(2);
    expect(refunds).toContainEqual({ key, reference: SOME_ID, paymentReference, money: ours });
    expect(refunds).toContainEqual({
      ...{ key: null, reference: theirs, paymentReference },
      money: { ...money, amount: THEIRS },
    });
    const made = { ...capture, amount: undefined };
    expect(madeBy('capture', notices)).toEqual(
      captures ? [{ key: made.key, reference: made.reference, paymentReference, money }] : [],
    );
    expectTold(desk, 'refund', told, notices);
  });
}

function describeCapture(desk: Desk): void {
  it('tells the capture of a person, with its id and its money', async () => {
    const { reference: paymentReference, money } = await desk.ask('capture', 'approve').then(followUp);
    desk.hand().capture(paymentReference, THEIRS);
    const told = desk.told();

    const { notices, state, authorized } = await wholeOf(desk, paymentReference);

    expect({ state, authorized }).toEqual({ state: 'closed', authorized: money });
    expect(madeBy('capture', notices)).toEqual([
      { ...{ key: null, reference: SOME_ID, paymentReference }, money: { ...money, amount: THEIRS } },
    ]);
    expectTold(desk, 'capture', told, notices);
  });
}

function describeVoid(desk: Desk): void {
  it('tells the void of a person, and no other operation', async () => {
    const { reference: paymentReference, money } = await desk.ask('void', 'approve').then(followUp);
    desk.hand().void(paymentReference);
    const told = desk.told();

    const { notices, state, authorized } = await wholeOf(desk, paymentReference);

    expect({ state, authorized }).toEqual({ state: 'voided', authorized: money });
    const voids = madeBy('void', notices);
    expect(voids).toMatchObject([{ key: null, paymentReference }]);
    expect([...madeBy('capture', notices), ...madeBy('refund', notices)]).toEqual([]);
    if (desk.tells()) expect(madeBy('void', told)).toMatchObject(voids);
  });
}

type Call = Awaited<ReturnType<Desk['ask']>>;

/** Returns a request about a payment. */
function followUp(requested: Call): Exclude<Call, { readonly verb: 'authorize' | 'cancel' }> {
  if (requested.verb === 'authorize' || requested.verb === 'cancel') throw new Error('No payment is named');
  return requested;
}

type Payment = Awaited<ReturnType<typeof refunded>>;
type Answer = ProviderBooks | FoundPayment | Unknown | null;
type Reads = {
  readonly read: (payment: Payment, changes?: Changes) => Promise<Answer>;
  /** Reads with a reference that the provider never gave. */
  readonly readOther: (payment: Payment) => Promise<Answer>;
};

/** The faults that leave nothing of an answer. A fault that changes one word may leave the rest readable. */
const SILENT: readonly Fault[] = [
  ...UNKNOWN_AFTER.map(([fault]) => fault).filter((fault) => !/^other_|unknown_word|not_found/.test(fault)),
  ...STATED,
];

function describeReading(desk: Desk, { read, readOther }: Reads): void {
  it('answers null if the provider does not know the reference', async () => {
    expect(await readOther(await refunded(desk))).toBeNull();
  });

  it.each(SILENT.filter((fault) => desk.can(fault)))('answers unknown after %s', async (fault) => {
    const payment = await refunded(desk);
    const whole = await read(payment);
    desk.failNextLookUp(fault);

    const answer = await read(payment);

    // A connector may read once more with a new access token.
    if (fault === 'unauthorized' && answer?.kind !== 'unknown') expect(answer).toEqual(whole);
    else expect(answer).toEqual({ kind: 'unknown', cause: expect.any(String) });
    expect(await read(payment)).toEqual(whole);
  });

  it('answers unknown at the deadline', async () => {
    const payment = await refunded(desk);
    desk.failNextLookUp('hang');

    expect(await read(payment, { deadlineMs: SHORT_MS })).toEqual({ kind: 'unknown', cause: 'timeout' });

    desk.release();
  });

  it('moves no money', async () => {
    const payment = await refunded(desk);
    const before = [desk.keys(), desk.done(payment.key)];

    const whole = await read(payment);

    expect(await read(payment)).toEqual(whole);
    expect([desk.keys(), desk.done(payment.key)]).toEqual(before);
    expect(desk.told()).toEqual([]);
  });
}

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  findUsablePaymentMethod,
  openInstrument,
  openProviderToken,
  putProviderToken,
} from '../../src/modules/payment-methods/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { startFakeBank, type BankFault, type FakeBank } from '../support/fake-bank.ts';
import { CARD, mandateAt, mandateService, startStoredHarness, type StoredHarness } from './stored-harness.ts';

let harness: StoredHarness;
let bank: FakeBank;
let service: string;
let rival: { readonly id: string; readonly token: string };

beforeAll(async () => {
  bank = await startFakeBank();
  harness = await startStoredHarness();
  rival = await harness.server.createMerchantAccount();
  service = await mandateService(harness, bank.url);
});
afterAll(async () => {
  await harness.stop();
  await bank.close();
});

let mandates = 0;
/** Stores a mandate with a unique name. */
async function storedMandate(suffix = ''): Promise<{ readonly id: string; readonly mandate: string }> {
  const mandate = `mandate-${(mandates += 1)}${suffix}`;
  return { id: (await harness.stored(mandateAt(service, mandate))).id, mandate };
}
const keysOf = (mandate: string): readonly string[] =>
  bank.questions
    .filter((question) => question.mandate === mandate)
    .map((question) => question.idempotency_key);
const namesOf = async (id: string): Promise<readonly string[]> =>
  (await harness.events(id)).map(([name, { status }]) => `${name} ${String(status)}`);
const GONE = { paymentMethod: null, userErrors: [] };
const MANDATE_KEPT = { deletedId: null, paymentMethod: { status: 'DELETING' }, userErrors: [] };

describe('a deleted payment method', () => {
  it('is unknown everywhere, its payment data is erased, and a repeat returns the same', async () => {
    const buyerId = await harness.buyer();
    const given = { instrument: { card: CARD }, buyerId, externalIdentifier: 'gone' };
    const { id, fingerprint } = await harness.stored(given);
    const place = { merchantAccountId: 'default', paymentMethodId: id, paymentServiceId: service };
    expect(await putProviderToken(harness.server.app, place, { token: 'tok', mandate: false })).toBe(true);

    expect(await harness.remove(id.toUpperCase())).toEqual({ deletedId: id, ...GONE });
    expect(await harness.remove(id)).toEqual({ deletedId: id, ...GONE });

    expect(await harness.read(id)).toBeNull();
    expect(await harness.update(id, { transactionLinkId: 'x' })).toMatchObject({
      userErrors: [{ code: 'NOT_FOUND' }],
    });
    const lists = await harness.ask<object>(
      `query ($filter: PaymentMethodFilter) { answer: paymentMethods(filter: $filter) { nodes { id } } }`,
      { filter: { fingerprint, buyerId } },
    );
    expect(lists).toEqual({ nodes: [] });
    const { app } = harness.server;
    expect(await findUsablePaymentMethod(app, 'default', id)).toBeNull();
    expect(await openInstrument(app, { merchantAccountId: 'default', id })).toBeNull();
    expect(await openProviderToken(app, place)).toBeNull();
    expect(await putProviderToken(app, place, { token: 'late', mandate: false })).toBe(false);
    const left = await app.db.prisma.paymentMethod.findFirst({ where: { merchantAccountId: 'default', id } });
    expect(left).toMatchObject({ sealedInstrument: null, fingerprint: null, externalIdentifier: null });
    const of = { where: { paymentMethodId: id } };
    expect(await app.db.prisma.paymentMethodToken.count(of)).toBe(0);
    expect(await app.db.prisma.paymentMethodTerm.count(of)).toBe(0);
    expect(await namesOf(id)).toEqual([
      'payment-method.created processing',
      'payment-method.deleted deleted',
    ]);
    expect(bank.questions).toEqual([]);
  });

  it.each([
    ['unknown', () => randomUUID(), null],
    ['no id', () => 'mine', null],
    [
      "another merchant account's",
      async () => (await harness.stored({ instrument: { card: CARD } })).id,
      'rival',
    ],
  ])('answers alike for an id that is %s, and deletes nothing', async (_, idOf, who) => {
    const id = await idOf();

    expect(await harness.remove(id, who === null ? undefined : rival.token)).toMatchObject({
      deletedId: null,
      paymentMethod: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
    });
    if (who !== null) expect(await harness.read(id)).toMatchObject({ id });
  });
});

describe('a mandate', () => {
  it('is revoked at its provider, once, when it is deleted', async () => {
    const { id, mandate } = await storedMandate();

    expect(await harness.remove(id)).toEqual({ deletedId: id, ...GONE });
    expect(await harness.remove(id)).toEqual({ deletedId: id, ...GONE });

    expect(keysOf(mandate)).toHaveLength(1);
    expect(bank.revoked).toContain(mandate);
    expect(await harness.read(id)).toBeNull();
    expect(await namesOf(id)).toEqual([
      'payment-method.created processing',
      'payment-method.updated deleting',
      'payment-method.deleted deleted',
    ]);
  });

  it('that its provider no longer knows counts as revoked', async () => {
    const { id } = await storedMandate('_unknown');
    expect(await harness.remove(id)).toEqual({ deletedId: id, ...GONE });
  });

  it.each<[BankFault, worked: boolean]>([
    ['lose_request', false],
    ['lose_answer', true],
    ['error_after_work', true],
    ['nonsense', true],
  ])(
    'with an unknown outcome (%s) keeps its payment method, and its key in a repeat',
    async (fault, worked) => {
      const { id, mandate } = await storedMandate();
      bank.failNext(fault);

      expect(await harness.remove(id)).toMatchObject(MANDATE_KEPT);
      expect(bank.revoked.includes(mandate)).toBe(worked);
      expect(await harness.read(id)).toMatchObject({ id, status: 'DELETING' });
      expect(await harness.remove(id)).toEqual({ deletedId: id, ...GONE });

      const [first, second, ...more] = keysOf(mandate);
      expect([second, more]).toEqual([first, []]);
      expect(bank.revoked.filter((revoked) => revoked === mandate)).toHaveLength(1);
      expect(await namesOf(id)).toHaveLength(3);
    },
  );

  it('that its provider refuses to revoke keeps its payment method, and has another key in a repeat', async () => {
    const { id, mandate } = await storedMandate();
    bank.failNext('refuse');

    expect(await harness.remove(id)).toMatchObject(MANDATE_KEPT);
    expect(await harness.remove(id)).toEqual({ deletedId: id, ...GONE });

    const [first, second, ...more] = keysOf(mandate);
    expect([second === first, more]).toEqual([false, []]);
    expect(harness.server.logs()).not.toContain(mandate);
  });

  it('during its revocation cannot be used, changed or given a token', async () => {
    const { id } = await storedMandate();
    bank.failNext('lose_request');
    await harness.remove(id);
    const { app } = harness.server;
    const place = { merchantAccountId: 'default', paymentMethodId: id, paymentServiceId: service };

    expect(await findUsablePaymentMethod(app, 'default', id)).toBeNull();
    expect(await putProviderToken(app, place, { token: 'late', mandate: true })).toBe(false);
    expect(await openProviderToken(app, place)).toBeNull();
    expect(await harness.update(id, { transactionLinkId: 'x' })).toMatchObject({
      userErrors: [{ code: 'INVALID_INPUT', path: ['id'] }],
    });
    expect(await harness.remove(id, rival.token)).toMatchObject({ userErrors: [{ code: 'NOT_FOUND' }] });
    expect(await harness.remove(id)).toEqual({ deletedId: id, ...GONE });
  });

  it('of several at different providers ends separately, and a repeat continues with the rest', async () => {
    const other = await mandateService(harness, bank.url);
    const { id, mandate } = await storedMandate();
    const place = { merchantAccountId: 'default', paymentMethodId: id, paymentServiceId: other };
    await putProviderToken(harness.server.app, place, { token: `${mandate}-b_refused`, mandate: true });

    expect(await harness.remove(id)).toMatchObject(MANDATE_KEPT);
    expect(await harness.remove(id)).toMatchObject(MANDATE_KEPT);

    expect([keysOf(mandate).length, keysOf(`${mandate}-b_refused`).length]).toEqual([1, 2]);
  });

  it('is revoked after the deletion of its payment service', async () => {
    const own = await mandateService(harness, bank.url);
    const { id } = await harness.stored(mandateAt(own, 'mandate-of-deleted'));
    await harness.ask(
      `mutation ($id: ID!) { answer: deletePaymentService(id: $id) { userErrors { code } } }`,
      {
        id: own,
      },
    );

    expect(await harness.remove(id)).toEqual({ deletedId: id, ...GONE });
    expect(bank.revoked).toContain('mandate-of-deleted');
  });

  it('is revoked once by many requests at once', async () => {
    const { id, mandate } = await storedMandate();
    const answers = await Promise.all(Array.from({ length: 5 }, () => harness.remove(id)));

    expect(answers).toEqual(Array.from({ length: 5 }, () => ({ deletedId: id, ...GONE })));
    expect(new Set(keysOf(mandate)).size).toBe(1);
    expect(await namesOf(id)).toHaveLength(3);
  });
});

describe('a deleted buyer', () => {
  it('deletes its payment methods too, except a mandate, which needs its own deletion', async () => {
    const buyerId = await harness.buyer();
    const card = await harness.stored({ instrument: { card: CARD }, buyerId });
    const mandate = await harness.stored({ ...mandateAt(service, 'mandate-of-buyer'), buyerId });
    const kept = await harness.stored({ instrument: { card: CARD }, buyerId: await harness.buyer() });

    await harness.ask('mutation ($id: ID!) { answer: deleteBuyer(id: $id) { deletedId } }', { id: buyerId });

    expect(await harness.read(card.id)).toBeNull();
    expect(await harness.read(kept.id)).toEqual(kept);
    expect(await harness.read(mandate.id)).toMatchObject({ status: 'DELETING', buyer: null });
    expect(keysOf('mandate-of-buyer')).toHaveLength(0);
    expect(await harness.remove(mandate.id)).toEqual({ deletedId: mandate.id, ...GONE });
    expect(bank.revoked).toContain('mandate-of-buyer');
    expect(await namesOf(card.id)).toEqual([
      'payment-method.created processing',
      'payment-method.deleted deleted',
    ]);
  });
});

describe('a crash', () => {
  let clear = (): void => undefined;
  afterEach(() => clear());

  it.each([
    ['deletePaymentMethod.claimed', 0, 1],
    ['deletePaymentMethod.called', 1, 2],
  ])('at %s leaves a deletion that a repeat finishes, under the same key', async (point, before, after) => {
    const { id, mandate } = await storedMandate();
    clear = setFailpoint(point, () => {
      throw new Error('The process died.');
    });
    await expect(harness.remove(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    clear();
    expect(keysOf(mandate)).toHaveLength(before);
    expect(await harness.read(id)).toMatchObject({ status: 'DELETING' });

    expect(await harness.remove(id)).toEqual({ deletedId: id, ...GONE });
    expect(keysOf(mandate)).toHaveLength(after);
    expect(new Set(keysOf(mandate)).size).toBe(1);
    expect(bank.revoked.filter((revoked) => revoked === mandate)).toHaveLength(1);
    expect(await namesOf(id)).toHaveLength(3);
  });

  it('at deletePaymentMethod.settled has deleted it', async () => {
    const { id } = await storedMandate();
    clear = setFailpoint('deletePaymentMethod.settled', () => {
      throw new Error('The process died.');
    });
    await expect(harness.remove(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    clear();

    expect(await harness.read(id)).toBeNull();
    expect(await harness.remove(id)).toEqual({ deletedId: id, ...GONE });
  });
});

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
import { CARD, mandateAt, mandateService, startStoredHouse, type StoredHouse } from './stored-house.ts';

let house: StoredHouse;
let bank: FakeBank;
let service: string;
let rival: { readonly id: string; readonly token: string };

beforeAll(async () => {
  bank = await startFakeBank();
  house = await startStoredHouse();
  rival = await house.server.createMerchantAccount();
  service = await mandateService(house, bank.url);
});
afterAll(async () => {
  await house.stop();
  await bank.close();
});

let mandates = 0;
/** Stores a mandate with a unique name. */
async function storedMandate(suffix = ''): Promise<{ readonly id: string; readonly mandate: string }> {
  const mandate = `mandate-${(mandates += 1)}${suffix}`;
  return { id: (await house.stored(mandateAt(service, mandate))).id, mandate };
}
const keysOf = (mandate: string): readonly string[] =>
  bank.questions
    .filter((question) => question.mandate === mandate)
    .map((question) => question.idempotency_key);
const namesOf = async (id: string): Promise<readonly string[]> =>
  (await house.events(id)).map(([name, { status }]) => `${name} ${String(status)}`);
const GONE = { paymentMethod: null, userErrors: [] };
const MANDATE_KEPT = { deletedId: null, paymentMethod: { status: 'DELETING' }, userErrors: [] };

describe('a deleted payment method', () => {
  it('is unknown everywhere, its payment data is erased, and a repeat returns the same', async () => {
    const buyerId = await house.buyer();
    const given = { instrument: { card: CARD }, buyerId, externalIdentifier: 'gone' };
    const { id, fingerprint } = await house.stored(given);
    const place = { merchantAccountId: 'default', paymentMethodId: id, paymentServiceId: service };
    expect(await putProviderToken(house.server.app, place, { token: 'tok', mandate: false })).toBe(true);

    expect(await house.remove(id.toUpperCase())).toEqual({ deletedId: id, ...GONE });
    expect(await house.remove(id)).toEqual({ deletedId: id, ...GONE });

    expect(await house.read(id)).toBeNull();
    expect(await house.update(id, { transactionLinkId: 'x' })).toMatchObject({
      userErrors: [{ code: 'NOT_FOUND' }],
    });
    const lists = await house.ask<object>(
      `query ($filter: PaymentMethodFilter) { answer: paymentMethods(filter: $filter) { nodes { id } } }`,
      { filter: { fingerprint, buyerId } },
    );
    expect(lists).toEqual({ nodes: [] });
    const { app } = house.server;
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
      async () => (await house.stored({ instrument: { card: CARD } })).id,
      'rival',
    ],
  ])('answers alike for an id that is %s, and deletes nothing', async (_, idOf, who) => {
    const id = await idOf();

    expect(await house.remove(id, who === null ? undefined : rival.token)).toMatchObject({
      deletedId: null,
      paymentMethod: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['id'] }],
    });
    if (who !== null) expect(await house.read(id)).toMatchObject({ id });
  });
});

describe('a mandate', () => {
  it('is revoked at its provider, once, when it is deleted', async () => {
    const { id, mandate } = await storedMandate();

    expect(await house.remove(id)).toEqual({ deletedId: id, ...GONE });
    expect(await house.remove(id)).toEqual({ deletedId: id, ...GONE });

    expect(keysOf(mandate)).toHaveLength(1);
    expect(bank.revoked).toContain(mandate);
    expect(await house.read(id)).toBeNull();
    expect(await namesOf(id)).toEqual([
      'payment-method.created processing',
      'payment-method.updated deleting',
      'payment-method.deleted deleted',
    ]);
  });

  it('that its provider no longer knows counts as revoked', async () => {
    const { id } = await storedMandate('_unknown');
    expect(await house.remove(id)).toEqual({ deletedId: id, ...GONE });
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

      expect(await house.remove(id)).toMatchObject(MANDATE_KEPT);
      expect(bank.revoked.includes(mandate)).toBe(worked);
      expect(await house.read(id)).toMatchObject({ id, status: 'DELETING' });
      expect(await house.remove(id)).toEqual({ deletedId: id, ...GONE });

      const [first, second, ...more] = keysOf(mandate);
      expect([second, more]).toEqual([first, []]);
      expect(bank.revoked.filter((revoked) => revoked === mandate)).toHaveLength(1);
      expect(await namesOf(id)).toHaveLength(3);
    },
  );

  it('that its provider refuses to revoke keeps its payment method, and has another key in a repeat', async () => {
    const { id, mandate } = await storedMandate();
    bank.failNext('refuse');

    expect(await house.remove(id)).toMatchObject(MANDATE_KEPT);
    expect(await house.remove(id)).toEqual({ deletedId: id, ...GONE });

    const [first, second, ...more] = keysOf(mandate);
    expect([second === first, more]).toEqual([false, []]);
    expect(house.server.logs()).not.toContain(mandate);
  });

  it('during its revocation cannot be used, changed or given a token', async () => {
    const { id } = await storedMandate();
    bank.failNext('lose_request');
    await house.remove(id);
    const { app } = house.server;
    const place = { merchantAccountId: 'default', paymentMethodId: id, paymentServiceId: service };

    expect(await findUsablePaymentMethod(app, 'default', id)).toBeNull();
    expect(await putProviderToken(app, place, { token: 'late', mandate: true })).toBe(false);
    expect(await openProviderToken(app, place)).toBeNull();
    expect(await house.update(id, { transactionLinkId: 'x' })).toMatchObject({
      userErrors: [{ code: 'INVALID_INPUT', path: ['id'] }],
    });
    expect(await house.remove(id, rival.token)).toMatchObject({ userErrors: [{ code: 'NOT_FOUND' }] });
    expect(await house.remove(id)).toEqual({ deletedId: id, ...GONE });
  });

  it('of several at different providers ends separately, and a repeat continues with the rest', async () => {
    const other = await mandateService(house, bank.url);
    const { id, mandate } = await storedMandate();
    const place = { merchantAccountId: 'default', paymentMethodId: id, paymentServiceId: other };
    await putProviderToken(house.server.app, place, { token: `${mandate}-b_refused`, mandate: true });

    expect(await house.remove(id)).toMatchObject(MANDATE_KEPT);
    expect(await house.remove(id)).toMatchObject(MANDATE_KEPT);

    expect([keysOf(mandate).length, keysOf(`${mandate}-b_refused`).length]).toEqual([1, 2]);
  });

  it('is revoked after the deletion of its payment service', async () => {
    const own = await mandateService(house, bank.url);
    const { id } = await house.stored(mandateAt(own, 'mandate-of-deleted'));
    await house.ask(`mutation ($id: ID!) { answer: deletePaymentService(id: $id) { userErrors { code } } }`, {
      id: own,
    });

    expect(await house.remove(id)).toEqual({ deletedId: id, ...GONE });
    expect(bank.revoked).toContain('mandate-of-deleted');
  });

  it('is revoked once by many requests at once', async () => {
    const { id, mandate } = await storedMandate();
    const answers = await Promise.all(Array.from({ length: 5 }, () => house.remove(id)));

    expect(answers).toEqual(Array.from({ length: 5 }, () => ({ deletedId: id, ...GONE })));
    expect(new Set(keysOf(mandate)).size).toBe(1);
    expect(await namesOf(id)).toHaveLength(3);
  });
});

describe('a deleted buyer', () => {
  it('deletes its payment methods too, except a mandate, which needs its own deletion', async () => {
    const buyerId = await house.buyer();
    const card = await house.stored({ instrument: { card: CARD }, buyerId });
    const mandate = await house.stored({ ...mandateAt(service, 'mandate-of-buyer'), buyerId });
    const kept = await house.stored({ instrument: { card: CARD }, buyerId: await house.buyer() });

    await house.ask('mutation ($id: ID!) { answer: deleteBuyer(id: $id) { deletedId } }', { id: buyerId });

    expect(await house.read(card.id)).toBeNull();
    expect(await house.read(kept.id)).toEqual(kept);
    expect(await house.read(mandate.id)).toMatchObject({ status: 'DELETING', buyer: null });
    expect(keysOf('mandate-of-buyer')).toHaveLength(0);
    expect(await house.remove(mandate.id)).toEqual({ deletedId: mandate.id, ...GONE });
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
    await expect(house.remove(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    clear();
    expect(keysOf(mandate)).toHaveLength(before);
    expect(await house.read(id)).toMatchObject({ status: 'DELETING' });

    expect(await house.remove(id)).toEqual({ deletedId: id, ...GONE });
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
    await expect(house.remove(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    clear();

    expect(await house.read(id)).toBeNull();
    expect(await house.remove(id)).toEqual({ deletedId: id, ...GONE });
  });
});

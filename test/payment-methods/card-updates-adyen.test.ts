import { beforeEach, describe, expect, it } from '@jest/globals';
import { recordMethodReport } from '../../src/modules/payment-methods/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { TEST_HMAC_KEY, TEST_TOKEN_HMAC_KEY } from '../connectors/adyen/double.ts';
import { startAdyen } from '../connectors/adyen/start.ts';
import { connect } from '../connectors/kit/service.ts';
import { openShop } from '../connectors/kit/shop.ts';
import { applyAfter } from '../transactions/inbox.ts';
import { storedAt } from './stored-elsewhere.ts';

/** One key signs standard webhooks, the other one webhooks about tokens. */
const fields = { hmac_key: `${TEST_HMAC_KEY} ${TEST_TOKEN_HMAC_KEY}` };
/** Only a webhook tells the token of a payment. */
const shop = await openShop((now) => startAdyen({ now, tokenIn: 'webhook' }), { fields });
const { double, harness, prisma, service } = shop;
const at = storedAt(harness, () => service);
beforeEach(async () => {
  double.behave();
  double.webhooks();
  double.tokenWebhooks();
  await prisma.inboundWebhook.deleteMany({});
});

/** Stores a card, whose token Adyen tells. Returns the payment method, and Adyen's id of the token. */
async function stored(): Promise<{ readonly id: string; readonly token: string }> {
  const id = await at.store();
  await at.deliver(double.tokenWebhooks());
  const token = await at.tokenOf(id);
  await prisma.inboundWebhook.deleteMany({});
  return { id, token: token?.split('/').at(-1) ?? '' };
}

const deliver = () => at.deliver(double.tokenWebhooks());
const NEW_CARD = { variant: 'mc', lastFour: '0004', expiry: '03/2042' };

describe('the token of a payment that stores its card', () => {
  it('is stored once, by the webhook about tokens and by the standard webhook', async () => {
    const id = await at.store();
    expect(await at.tokenOf(id)).toBeNull();

    expect(await deliver()).toEqual([200]);
    await at.deliver(double.webhooks());

    expect(await at.tokenOf(id)).toMatch(/^.+\/[A-Z0-9]{16}$/);
    expect(await at.told(id)).toEqual(['recurring.token.created']);
    const [row] = await prisma.inboundWebhook.findMany({ orderBy: { id: 'asc' } });
    expect(row?.sealedToken).toBeNull();
    expect(JSON.stringify(row)).not.toContain((await at.tokenOf(id))?.split('/').at(-1));
    expect((await at.charge(id)).transaction?.status).toBe('AUTHORIZATION_SUCCEEDED');
  });
});

describe('a new card of the issuer', () => {
  it('with the same number has a new expiration date', async () => {
    const { id, token } = await stored();
    double.replaceCard(token, { expiry: '03/2042' });

    expect(await deliver()).toEqual([200]);

    expect(await harness.method(id)).toMatchObject({
      ...{ expirationDate: '03/42', lastFour: '1111', instrumentType: 'PAN', scheme: 'VISA' },
      status: 'SUCCEEDED',
    });
    expect(await at.told(id)).toEqual(['recurring.token.created', 'payment-method.updated']);
    expect(await at.states()).toEqual(['applied']);
    expect((await at.entries(id)).at(-1)).toMatchObject({
      ...{ action: 'payment-method.updated', actorKind: 'provider', actorId: service.id },
    });
  });

  it('with a new number is known to its provider alone, and pays there by the token', async () => {
    const { id, token } = await stored();
    double.replaceCard(token, NEW_CARD);

    await deliver();

    expect(await harness.method(id)).toMatchObject({
      ...{ expirationDate: '03/42', lastFour: '0004', scheme: 'MASTERCARD', instrumentType: 'CARD_TOKEN' },
      ...{ fingerprint: null, status: 'SUCCEEDED' },
    });
    const row = await prisma.paymentMethod.findFirst({
      where: { id },
      include: { terms: true },
    });
    expect(row).toMatchObject({ sealedInstrument: null, bin: null, label: '0004' });
    expect(row?.terms.map(({ term }) => term).toSorted()).toEqual(['0004', 'card', 'mastercard']);
    expect((await at.charge(id)).transaction).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', paymentService: { id: service.id } },
      card: { lastFour: '0004', expirationDate: '03/42' },
    });
  });

  it('is applied once, however often it is told, and after a kill before the end of the webhook', async () => {
    const { id, token } = await stored();
    double.replaceCard(token, { expiry: '03/2042' });
    const told = double.tokenWebhooks();
    const undo = setFailpoint('payment_method.reported', () => {
      throw new Error('killed');
    });
    await at.deliver([...told, ...told], { passMs: 0 });
    undo();

    await at.deliver(told);
    await applyAfter(harness, 60_000);

    expect((await harness.method(id))?.expirationDate).toBe('03/42');
    expect(await at.told(id)).toEqual(['recurring.token.created', 'payment-method.updated']);
    expect(await at.states()).toEqual(['ignored']);
  });

  it('waits until Adyen tells the card', async () => {
    const { id, token } = await stored();
    double.replaceCard(token, { expiry: '03/2042' });
    double.failNextOf(/^GET /, 'error_before_work', 'lose_answer', 'lose_answer');

    await deliver();
    expect([await at.states(), (await harness.method(id))?.expirationDate]).toEqual([['parked'], '12/40']);
    await applyAfter(harness, 3_600_000);
    await applyAfter(harness, 3_600_000);

    expect([await at.states(), (await harness.method(id))?.expirationDate]).toEqual([['applied'], '03/42']);
  });

  it('is told to its own service alone', async () => {
    const { id, token } = await stored();
    const other = await connect(harness, 'adyen-card', { ...shop.fields, ...fields });
    double.replaceCard(token, { expiry: '03/2042' });

    await at.deliver(double.tokenWebhooks(), { url: other.webhookUrl });

    expect([await at.states(), (await harness.method(id))?.expirationDate]).toEqual([['parked'], '12/40']);
    const report = {
      token: (await at.tokenOf(id)) ?? '',
      at: new Date(),
      change: { kind: 'disabled' },
    } as const;
    const elsewhere = { merchantAccountId: 'other', paymentServiceId: service.id };
    expect(await recordMethodReport(harness.server.app, elsewhere, report)).toBe('unknown');
  });
});

describe('a report of an unknown token', () => {
  it('waits a day, and is then ignored', async () => {
    const { token } = await stored();
    double.replaceCard(token, {});
    const [known] = double.tokenWebhooks();
    const event = JSON.parse(known?.body ?? '') as { data: object };
    const unknown = { ...event, data: { ...event.data, storedPaymentMethodId: 'UNKNOWN' } };

    await at.deliver([double.signToken(unknown)]);
    const before = await at.states();
    await applyAfter(harness, 24 * 3_600_000);

    expect([before, await at.states()]).toEqual([['parked'], ['expired']]);
    expect(double.calls.filter(({ method, path }) => method === 'GET' && path.includes('UNKNOWN'))).toEqual(
      [],
    );
  });

  it('is not stored without the signature of a key', async () => {
    const { token } = await stored();
    double.disableToken(token);
    const forged = double
      .tokenWebhooks()
      .map((webhook) => ({ ...webhook, headers: { hmacsignature: 'AAAA' } }));

    expect([await at.deliver(forged), await at.states()]).toEqual([[401], []]);
  });
});

describe('a token that Adyen disables', () => {
  it('pays no more, while the stored card does', async () => {
    const { id, token } = await stored();
    double.disableToken(token);

    await deliver();

    expect(await at.tokenOf(id)).toBeNull();
    expect(await harness.method(id)).toMatchObject({ status: 'SUCCEEDED', instrumentType: 'PAN' });
    expect(await at.told(id)).toEqual(['recurring.token.created', 'recurring.token.disabled']);
    expect((await at.entries(id)).at(-1)).toMatchObject({
      ...{ action: 'payment-method-token.updated', actorKind: 'provider', actorId: service.id },
    });
    expect((await at.charge(id)).transaction?.status).toBe('AUTHORIZATION_SUCCEEDED');
    expect(double.calls.at(-1)?.body).toContain('4111111111111111');
  });

  it('leaves a card that only Adyen knows without a way to pay', async () => {
    const { id, token } = await stored();
    double.replaceCard(token, NEW_CARD);
    await deliver();
    double.disableToken(token);
    const calls = double.calls.length;

    await deliver();

    expect((await harness.method(id))?.status).toBe('FAILED');
    expect((await at.told(id)).slice(1)).toEqual([
      ...['payment-method.updated', 'recurring.token.disabled', 'payment-method.updated'],
    ]);
    const { transaction, userErrors } = await at.charge(id);
    expect([transaction, userErrors[0]?.message]).toEqual([
      ...[null, 'The payment method cannot pay while its status is FAILED.'],
    ]);
    expect(double.calls.slice(calls).filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('is not stored again by a late report of its creation', async () => {
    const id = await at.store();
    const created = double.tokenWebhooks();
    const late = double.webhooks();
    await at.deliver(created);
    double.disableToken((await at.tokenOf(id))?.split('/').at(-1) ?? '');
    await deliver();

    await at.deliver(late);

    expect(await at.tokenOf(id)).toBeNull();
    expect(await at.told(id)).toEqual(['recurring.token.created', 'recurring.token.disabled']);
  });

  it('ends when its creation is reported after its end', async () => {
    const id = await at.store();
    const [created] = double.tokenWebhooks();
    const { data } = JSON.parse(created?.body ?? '') as { data: { storedPaymentMethodId: string } };
    double.disableToken(data.storedPaymentMethodId);

    await deliver();
    await at.deliver(created ? [created] : []);
    await applyAfter(harness, 3_600_000);

    expect(await at.tokenOf(id)).toBeNull();
    expect(await at.told(id)).toEqual(['recurring.token.created', 'recurring.token.disabled']);
  });

  it('goes with its payment method', async () => {
    const { id, token } = await stored();
    double.disableToken(token);
    await deliver();

    await harness.remove(id);

    expect(await prisma.paymentMethodToken.count({ where: { paymentMethodId: id } })).toBe(0);
  });
});

import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { respondToDispute } from '../../../src/connectors/calls/call-dispute.ts';
import { fetchSettlements } from '../../../src/connectors/calls/call-settlements.ts';
import type { SettlementEntry } from '../../../src/connectors/notices/settlements.ts';
import { verifyCredentials } from '../../../src/connectors/calls/call-verification.ts';
import type { BankDebit } from '../../../src/connectors/interface/requests.ts';
import { noticeWith } from '../kit/notices.ts';
import { DAY_MS, LOG, startDesk, USD } from './double-desk.ts';
import { NOBODY } from './objects.ts';

const desk = await startDesk();
const { double, stripe, contextOf, call, pay, now, pass, paid, told } = desk;
afterAll(() => desk.close());

const HOLDER = { firstName: 'Ada', lastName: 'Lovelace', companyName: null };
const MANDATE = {
  ...{ reference: 'RENT-7', text: null, acceptedAt: '2026-01-02T03:04:05Z' },
  ...{ ipAddress: '203.0.113.7', userAgent: 'Firefox' },
};
const ADDRESS = {
  ...{ line1: 'High Street 5', houseNumberOrName: null, line2: null, city: 'London', postalCode: 'N1 9GU' },
  ...{ state: null, stateCode: null, country: 'GB', organization: null },
};

const bankOf = (
  scheme: BankDebit['scheme'],
  accountNumber: string,
  routingNumber: string | null = null,
): BankDebit => ({
  ...{ scheme, accountNumber, routingNumber, accountType: scheme === 'ach' ? 'checking' : null },
  ...{ accountHolder: HOLDER, mandate: MANDATE, requestedOn: '2026-11-24' },
});

describe('a bank debit', () => {
  it.each([
    ['stripe-sepa', bankOf('sepa', 'DE89370400440532013000'), 'EUR'],
    ['stripe-ach', bankOf('ach', '000123456789', '110000000'), 'USD'],
    ['stripe-bacs', bankOf('bacs', '00012345', '108800'), 'GBP'],
  ])('as %s is decided days later, and may come back', async (definition, bank, currency) => {
    const context = contextOf(definition);
    const buyer = { ...NOBODY, email: 'ada@example.com', billingAddress: ADDRESS };
    const money = { amount: 1099, currency };
    const payment = { card: null, bank, money, buyer, capture: true, returnUrl: null };
    const { outcome, requested } = await pay(payment, context);
    if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
    told();
    pass(20 * DAY_MS);
    expect(told()).toContainEqual(
      noticeWith({ verb: 'authorize', key: requested.key, outcome: { kind: 'succeeded', money } }),
    );
    double.hands.returnDebit(outcome.reference);
    expect(told()).toContainEqual(
      noticeWith({ paymentReference: outcome.reference, dispute: { status: 'lost', money } }),
    );
  });

  it('without the money is declined later', async () => {
    const context = contextOf('stripe-sepa');
    const buyer = { ...NOBODY, email: 'ada@example.com' };
    const bank = bankOf('sepa', 'DE65370400440002222227');
    const money = { amount: 1099, currency: 'EUR' };
    const { requested } = await pay(
      { card: null, bank, money, buyer, capture: true, returnUrl: null },
      context,
    );
    pass(20 * DAY_MS);
    expect(told()).toContainEqual(
      noticeWith({ key: requested.key, outcome: { kind: 'declined', errorCode: 'insufficient_funds' } }),
    );
  });
});

describe('a refund that fails after its success', () => {
  it('is told as a reversal', async () => {
    const { reference, key } = await paid({ capture: true });
    const refund = { verb: 'refund', key: randomUUID(), money: USD(500), reference } as const;
    const made = await call({ ...refund, captures: [{ key, reference, amount: 500 }] });
    if (made.kind !== 'succeeded') throw new Error(JSON.stringify(made));
    told();
    double.hands.failRefund(made.reference);
    expect(told()).toContainEqual(
      noticeWith({ verb: 'refund', key: refund.key, outcome: { kind: 'reversed' } }),
    );
  });
});

describe('a dispute', () => {
  const disputed = async () => {
    const { reference } = await paid({ capture: true });
    told();
    return { reference, id: double.hands.dispute(reference) };
  };
  const responseTo = (disputeReference: string, paymentReference: string) => ({
    ...{ key: randomUUID(), disputeReference, stage: 'chargeback' as const, paymentReference },
  });

  it('is told, answered with evidence, and won', async () => {
    const { reference, id } = await disputed();
    expect(told()).toContainEqual(
      noticeWith({
        paymentReference: reference,
        dispute: { disputeReference: id, status: 'needs_response', money: USD(1099) },
      }),
    );
    const evidence = {
      texts: [{ kind: 'service', text: 'An engine.' }],
      files: [{ kind: 'receipt', name: 'receipt.pdf', format: 'pdf', content: 'JVBERi0xLjcK' }],
    } as const;
    const response = { ...responseTo(id, reference), evidence };
    expect(await respondToDispute(stripe, contextOf(), LOG, response)).toEqual({ kind: 'done' });
    expect(await respondToDispute(stripe, contextOf(), LOG, response)).toEqual({ kind: 'done' });
    double.hands.decideDispute(id, 'won');
    expect(told()).toContainEqual(noticeWith({ dispute: { disputeReference: id, status: 'won' } }));
  });

  it('is accepted', async () => {
    const { reference, id } = await disputed();
    const response = { ...responseTo(id, reference), evidence: null };
    expect(await respondToDispute(stripe, contextOf(), LOG, response)).toEqual({ kind: 'done' });
    expect(told()).toContainEqual(noticeWith({ dispute: { disputeReference: id, status: 'lost' } }));
  });
});

describe('the account', () => {
  it('passes the check of its credentials, and another key does not', async () => {
    expect(await verifyCredentials(stripe, contextOf(), LOG)).toEqual({ kind: 'accepted' });
    expect(
      await verifyCredentials(stripe, contextOf('stripe-card', { secret_key: 'sk_test_other' }), LOG),
    ).toEqual({
      ...{ kind: 'refused', reason: expect.stringMatching(/Invalid API Key/) },
    });
  });

  it('settles, page by page, and names the payout of each charge', async () => {
    const since = new Date(now().getTime() - 100 * DAY_MS);
    for (let count = 0; count < 101; count += 1)
      await paid({ capture: true, card: null, token: 'pm_card_visa' });
    double.hands.payOut('usd');
    pass(DAY_MS);
    const entries: SettlementEntry[] = [];
    let cursor: string | null = null;
    for (let more = true; more;) {
      const page = await fetchSettlements(stripe, contextOf(), LOG, {
        ...{ cursor, since, now: now(), booked: () => Promise.resolve([]) },
      });
      if (page.kind !== 'page') throw new Error(JSON.stringify(page));
      entries.push(...page.entries);
      ({ cursor, more } = page);
      expect(page.entries.length).toBeLessThanOrEqual(100);
      for (const { kind, key } of page.entries) if (kind === 'charge') expect(key).not.toBeNull();
    }
    // An entry comes once before Stripe has reconciled its payout, and once with the payout.
    const referencesOf = (isPaidOut: boolean) =>
      entries
        .filter(({ kind, payoutReference }) => kind !== 'payout' && (payoutReference !== null) === isPaidOut)
        .map(({ reference }) => reference);
    for (const references of [referencesOf(false), referencesOf(true)]) {
      expect(new Set(references).size).toBe(references.length);
      expect(references.length).toBeGreaterThan(101);
    }
  });
});

import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyDueWebhooks, reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { createTestDatabase } from '../support/database.ts';
import { holdFirstAt } from '../support/hold.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { applyAfter, inboundRows, inboxAt, putOff, type Inbox, type Reported } from './inbox.ts';
import { SECRET, startTakeBacks, type TakeBacks } from './take-backs.ts';

// An approval that is applied after a later decline is a late approval. Its money would be released.

let play: TakeBacks;
let second: TestServer;
/** The webhook address at the second process. */
let inboxOfSecond: Inbox;

beforeAll(async () => {
  const [clock, database] = [createSteppedClock(), await createTestDatabase()];
  const settings = { PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64') };
  play = await startTakeBacks({ clock, database, settings });
  const kept = { ...database, drop: async () => undefined };
  second = await startTestServer({ clock, settings, database: kept });
  inboxOfSecond = inboxAt(play.inbox.url.replace(play.harness.server.url, second.url));
});
afterAll(async () => {
  await second.stop();
  await play.harness.stop();
});

/** The amount that the provider accepts and decides later. */
const DECIDED_LATER = 600_001;
const DECIDES_CAPTURES_LATER = 610_001;

type Undecided = { readonly id: string; readonly key: string; readonly payment: string };

async function undecided(): Promise<Undecided> {
  const id = await play.pay({ amount: DECIDED_LATER });
  const { key } = await play.operation(id, 'authorize');
  return { id, key, payment: await paymentOf(id) };
}

/** Returns the provider's id of a payment. */
const paymentOf = async (id: string): Promise<string> =>
  String((await play.harness.transaction(id))?.['paymentServiceTransactionId']);

const byKey = ({ key }: Undecided): Reported => ({ idempotency_key: key });
const byPayment = ({ payment }: Undecided): Reported => ({ payment_service_transaction_id: payment });
const approval = (naming: Reported) => ({ ...naming, id: randomUUID(), event: 'authorization.succeeded' });
const decline = (naming: Reported) => ({ ...naming, id: randomUUID(), event: 'authorization.declined' });

/** Posts a webhook and waits until it has been applied or parked. */
async function tell(reported: Reported): Promise<void> {
  expect(await play.post(reported)).toBe(200);
  await play.harness.server.http.webhooksApplied();
}

async function tellSecond(reported: Reported): Promise<void> {
  expect(await inboxOfSecond.tell({ id: randomUUID(), ...reported }, SECRET)).toBe(200);
  await second.http.webhooksApplied();
}

/** Runs `during` while reconciliation asks the provider, which has not decided yet. */
async function whileAsked(during: () => Promise<void>): Promise<void> {
  const { harness } = play;
  await harness.pass(61_000);
  harness.provider.failNext('still_deciding');
  const asked = holdFirstAt('authorize.looked');
  const reconciling = reconcileDue(harness.server.app);
  await asked.reached;
  await during().finally(() => asked.go());
  await reconciling;
  harness.provider.behave();
}

const states = async () => (await inboundRows(play.harness)).map(({ state }) => state);

async function expectApproved({ id }: Undecided): Promise<void> {
  expect(await play.money(id)).toMatchObject({
    ...{ status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: DECIDED_LATER }, errorCode: null },
  });
  expect(await play.ledger(id)).toEqual([`authorize ${DECIDED_LATER}`]);
  expect(await play.findings(id)).toEqual([null, 'contradicts']);
  expect(await operationsOf(id)).toEqual(['authorize']);
}

const operationsOf = async (transactionId: string) =>
  (
    await play.harness.server.app.db.prisma.operation.findMany({
      where: { transactionId },
      orderBy: { id: 'asc' },
    })
  ).map(({ kind }) => kind);

describe('a decline after an approval that waits for the answer of the provider', () => {
  it.each([
    ['both by our key', byKey, byKey],
    ['both by the payment', byPayment, byPayment],
    ['the approval by our key, the decline by the payment', byKey, byPayment],
    ['the approval by the payment, the decline by our key', byPayment, byKey],
  ])('waits behind the approval: %s', async (_, namesApproval, namesDecline) => {
    const paid = await undecided();
    await whileAsked(() => tell(approval(namesApproval(paid))));

    await tell(decline(namesDecline(paid)));

    expect((await states()).slice(-2)).toEqual(['parked', 'parked']);
    // Under different names, the decline waits for one more round.
    await applyAfter(play.harness, 1_000);
    await applyAfter(play.harness, 1_000);
    await expectApproved(paid);
  });

  it('goes second when the loop claims both, at once with the webhook of another payment', async () => {
    const [paid, other] = [await undecided(), await undecided()];
    const died = setFailpoint('inbound.stored', () => {
      throw new Error('The process dies here.');
    });
    for (const stored of [approval(byKey(other)), approval(byKey(paid)), decline(byKey(paid))])
      expect(await play.post(stored)).toBe(503);
    died();
    await play.harness.pass(10_000);
    const both = Promise.withResolvers<undefined>();
    let matched = 0;
    // The first waits for the webhook of the other payment.
    const remove = setFailpoint('inbound.matched', () => {
      matched += 1;
      if (matched === 2) both.resolve(undefined);
      return both.promise;
    });

    await applyDueWebhooks(play.harness.server.app);
    remove();

    expect((await states()).slice(-3)).toEqual(['applied', 'applied', 'ignored']);
    await expectApproved(paid);
  });

  it('counts once, like the approval, however often each is received', async () => {
    const paid = await undecided();
    const [approved, declined] = [approval(byKey(paid)), decline(byKey(paid))];
    await whileAsked(async () => {
      await tell(approved);
      await tell(approved);
    });
    for (let time = 0; time < 3; time += 1) await tell(declined);
    await tell(approved);

    await applyAfter(play.harness, 1_000);

    await expectApproved(paid);
  });
});

it('an approval after a decline that waits for the answer of the provider stays a late approval', async () => {
  const paid = await undecided();
  await whileAsked(() => tell(decline(byKey(paid))));
  await tell(approval({ ...byKey(paid), ...byPayment(paid) }));

  await applyAfter(play.harness, 1_000);

  expect(await play.findings(paid.id)).toEqual([null, 'late_authorization']);
  expect(await play.money(paid.id)).toMatchObject({ status: 'AUTHORIZATION_DECLINED' });
  expect(await operationsOf(paid.id)).toEqual(['authorize', 'release']);
});

describe('two processes', () => {
  it('apply the approval first when the other process receives the decline', async () => {
    const paid = await undecided();
    await whileAsked(() => tell(approval(byKey(paid))));
    await tellSecond(decline(byPayment(paid)));
    await play.harness.pass(1_000);

    const apps = [second.app, play.harness.server.app];
    await Promise.all(apps.map((app) => applyDueWebhooks(app)));
    await applyAfter(play.harness, 1_000);

    await expectApproved(paid);
  });

  it('apply the approval first while one of them is just applying it', async () => {
    const paid = await undecided();
    const matched = holdFirstAt('inbound.matched');
    expect(await play.post(approval(byKey(paid)))).toBe(200);
    await matched.reached;

    await tellSecond(decline(byKey(paid)));
    const meanwhile = await states();
    matched.go();

    expect(meanwhile.slice(-2)).toEqual(['parked', 'parked']);
    await applyAfter(play.harness, 1_000);
    await expectApproved(paid);
  });

  it('apply the approval first when its process dies after storing it', async () => {
    const paid = await undecided();
    const died = setFailpoint('inbound.stored', () => {
      throw new Error('The process dies here.');
    });
    expect(await play.post(approval(byKey(paid)))).toBe(503);
    died();

    await tellSecond(decline(byKey(paid)));

    await play.harness.pass(10_000);
    while (await applyDueWebhooks(second.app));
    await applyAfter(play.harness, 1_000);
    await expectApproved(paid);
  });
});

it('an approval whose reference has just become known goes before a later decline', async () => {
  const called = holdFirstAt('authorize.called');
  const paying = play.pay({ amount: DECIDED_LATER });
  await called.reached;
  const payment = [...play.harness.provider.books.values()].at(-1)?.id ?? '';
  await tell(approval({ payment_service_transaction_id: payment }));
  await putOff(play.harness);
  called.go();
  const id = await paying;
  const { key } = await play.operation(id, 'authorize');

  await tell(decline({ idempotency_key: key }));

  // The names differ, so one round takes both, and the decline waits for the next round.
  await applyAfter(play.harness, 1_000);
  await applyAfter(play.harness, 1_000);
  await expectApproved({ id, key, payment });
});

describe('a later webhook does not wait', () => {
  it('behind a token, which waits for the outcome itself', async () => {
    const paid = await undecided();
    const token = { event: 'recurring_token.created', recurring_token: 'tok_of_the_test' };
    await tell({ ...byKey(paid), ...token, id: randomUUID() });

    await tell(approval(byKey(paid)));

    expect((await states()).slice(-2)).toEqual(['parked', 'applied']);
  });

  it('behind a webhook that waits for an unknown operation', async () => {
    const paid = await undecided();
    const payment = randomUUID();
    await tell(decline({ payment_service_transaction_id: payment }));

    await tell(approval({ ...byKey(paid), payment_service_transaction_id: payment }));

    expect((await states()).slice(-2)).toEqual(['parked', 'applied']);
  });

  it('behind a webhook of another payment of the same service', async () => {
    const paid = await undecided();
    await whileAsked(() => tell(approval(byKey(paid))));
    const other = await undecided();

    await tell(decline(byKey(other)));

    expect((await states()).slice(-2)).toEqual(['parked', 'applied']);
    await applyAfter(play.harness, 1_000);
  });

  it('behind a webhook of another capture of the same payment', async () => {
    const id = await play.pay({ amount: 2_000_000 });
    const captures: Reported[] = [];
    for (const amount of [DECIDES_CAPTURES_LATER, DECIDES_CAPTURES_LATER]) {
      await play.harness.capture(id, { amount, final: false });
      const { providerReference } = await play.operation(id, 'capture');
      const naming = { payment_service_transaction_id: await paymentOf(id) };
      captures.push({ ...naming, payment_service_reference: providerReference, event: 'capture.succeeded' });
    }
    const matched = holdFirstAt('inbound.matched');
    expect(await play.post(captures[0] ?? {})).toBe(200);
    await matched.reached;

    await tellSecond(captures[1] ?? {});
    const meanwhile = await states();
    matched.go();

    expect(meanwhile.slice(-2)).toEqual(['parked', 'applied']);
    await play.harness.server.http.webhooksApplied();
    expect(await play.money(id)).toMatchObject({ capturedAmount: 2 * DECIDES_CAPTURES_LATER });
  });

  it('longer than half a minute behind a webhook that fails each time', async () => {
    const paid = await undecided();
    await whileAsked(() => tell(approval(byKey(paid))));
    await tell(decline(byKey(paid)));
    let count = 0;
    const failing = setFailpoint('inbound.matched', () => {
      count += 1;
      // The oldest webhook is applied first in each round.
      if (count % 2 === 1) throw new Error('The webhook cannot be applied.');
    });
    await play.harness.pass(1_000);
    await applyDueWebhooks(play.harness.server.app);
    const afterOne = await states();
    await play.harness.pass(31_000);
    await applyDueWebhooks(play.harness.server.app);
    failing();

    expect(afterOne.slice(-2)).toEqual(['parked', 'parked']);
    expect((await states()).slice(-2)).toEqual(['parked', 'applied']);
  });
});

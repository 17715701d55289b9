import { createHash } from 'node:crypto';
import type { Prisma } from '../../src/platform/generated/prisma/client.ts';
import type { TestServer } from '../support/server.ts';

/** Columns of a transaction as the database stores them. */
export type Row = Partial<Prisma.TransactionUncheckedCreateInput>;

/** Returns a moment so many minutes after the first of May. */
export const minute = (count: number): Date => new Date(Date.UTC(2026, 4, 1) + count * 60_000);

/** Returns an id that sorts by its number and is independent of the creation time. */
export const idOf = (account: string, number: number): string => {
  const digest = createHash('sha256').update(account).digest('hex');
  return `00000000-0000-7000-8${digest.slice(0, 3)}-${number.toString(16).padStart(12, '0')}`;
};

/** Returns the id of a payment service. Every account has the same services. */
export const serviceOf = (account: string, number: number): string => idOf(`service of ${account}`, number);

export async function insertServices({ app }: TestServer, account: string, count: number): Promise<void> {
  const now = minute(0);
  await app.db.prisma.paymentService.createMany({
    data: Array.from({ length: count }, (_, number) => ({
      merchantAccountId: account,
      id: serviceOf(account, number),
      definitionId: 'mock-card',
      method: 'card',
      displayName: `Service ${number}`,
      position: number,
      fields: [],
      reportingFields: [],
      webhookToken: `${account} ${number}`,
      createdAt: now,
      updatedAt: now,
    })),
  });
}

/** Inserts a stored buyer and a stored payment method with the fewest columns. */
export async function insertStored(
  { app }: TestServer,
  merchantAccountId: string,
  { buyerId, paymentMethodId }: { readonly buyerId: string; readonly paymentMethodId: string },
): Promise<void> {
  const made = { merchantAccountId, createdAt: minute(0), updatedAt: minute(0) };
  await app.db.prisma.buyer.create({ data: { ...made, id: buyerId } });
  const method = { method: 'paypal', instrumentType: 'redirect_token', status: 'succeeded' };
  await app.db.prisma.paymentMethod.create({ data: { ...made, id: paymentMethodId, ...method } });
}

/** Writes rows without the service, because these tests are about reading. Unnamed columns have plain defaults. */
export async function insertRows(
  { app }: TestServer,
  account: string,
  rows: readonly (Row & { readonly number: number })[],
): Promise<readonly string[]> {
  const data = rows.map(({ number, ...row }) => {
    const id = idOf(account, number);
    return {
      merchantAccountId: account,
      id,
      status: 'authorization_succeeded',
      intent: 'authorize',
      amount: 1000,
      currency: 'USD',
      country: 'US',
      method: 'card',
      instrumentType: 'pan',
      cardScheme: 'visa',
      cardBin: '41111111',
      cardLastFour: '1111',
      cardExpirationDate: '03/30',
      cardFingerprint: 'plain',
      createdAt: minute(number),
      updatedAt: minute(number),
      ...row,
    };
  });
  await app.db.prisma.transaction.createMany({ data });
  return data.map(({ id }) => id);
}

export async function insertRow(
  server: TestServer,
  account: string,
  number: number,
  row: Row = {},
): Promise<string> {
  const [id] = await insertRows(server, account, [{ number, ...row }]);
  if (id === undefined) throw new Error('No row was made');
  return id;
}

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { App } from '../../src/app.ts';
import { tellUnserved } from '../../src/modules/transactions/index.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;
let definitionId: string;
beforeAll(async () => {
  harness = await startHarness();
  const [service] = await harness.server.app.db.prisma.paymentService.findMany({
    where: { displayName: { not: 'Sandbox card' } },
  });
  definitionId = service?.definitionId ?? '';
});
afterAll(() => harness.stop());

/** Returns the warnings about the definition in a process with these connectors. */
async function told(connectors: App['connectors']): Promise<readonly object[]> {
  const lines: object[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line) as object) });
  await tellUnserved({ ...harness.server.app, connectors, log });
  return lines.filter((line) => 'definitionId' in line && line.definitionId === definitionId);
}

it('tells of payment services without a connector, and of their pending operations', async () => {
  await harness.create();
  harness.provider.failNext('lose_request');
  await harness.create();

  expect(await told(harness.server.app.connectors)).toEqual([]);
  expect(await told([])).toMatchObject([{ level: 40, services: 1, operations: 1 }]);
});

it('tells of a deleted payment service only while an operation is pending', async () => {
  const { prisma } = harness.server.app.db;
  await prisma.paymentService.updateMany({ where: { definitionId }, data: { deletedAt: new Date() } });

  expect(await told([])).toMatchObject([{ services: 1, operations: 1 }]);

  await prisma.operation.updateMany({ where: { status: 'pending' }, data: { status: 'failed' } });
  expect(await told([])).toEqual([]);
});

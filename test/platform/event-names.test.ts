import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { matchesName } from '../../src/modules/events/feed/names.ts';
import { authenticationEvent } from '../../src/modules/transactions/authorize/three-d-secure/authentication-event.sql.ts';
import {
  expiryRecords,
  reversalRecords,
} from '../../src/modules/transactions/take-back/take-back-records.ts';
import { NOW, operationOf, outcomesOfAllStates, transactionOf } from '../transactions/outcomes.ts';
import { EVENT_NAMES } from '../../src/modules/event-log/index.ts';

const BOOKED = {
  amount: 1,
  given: { now: NOW, ledgerId: 'l', eventIds: ['a', 'b'], historyId: 'h', unit: 1 },
} as const;
const REPORTED = { rawResponseCode: null, rawResponseDescription: null } as const;
const stateOf = (kind: 'authorize' | 'capture' | 'refund') => ({
  transaction: transactionOf({}),
  operation: operationOf({ kind }),
  service: { id: 's', displayName: 'Service', definitionId: 'mock-card' },
});

/** The records of each success that a provider may take back. */
const TAKEN_BACK = [
  ...(['authorize', 'capture', 'refund'] as const).map((kind) =>
    reversalRecords(
      stateOf(kind),
      { ...REPORTED, kind: 'reversed', key: 'r', errorCode: 'service_error', money: null },
      BOOKED,
    ),
  ),
  expiryRecords(stateOf('authorize'), { ...REPORTED, kind: 'expired', at: null }, BOOKED),
];

describe('the table of event names', () => {
  it('has exactly the names that settling, taking back, authentication, anti-fraud checks and changes publish', async () => {
    const settled = outcomesOfAllStates().flatMap(
      ({ changes }) => changes?.events.map(({ name }) => name) ?? [],
    );
    const takenBack = TAKEN_BACK.flatMap((records) => records.events.map(({ name }) => name));
    const files = await textOf('src/modules/transactions', '.sql');
    const claims = [files, authenticationEvent('x')].join();
    const notified = [...claims.matchAll(/'((?:transaction|capture|refund)\.[a-z-]+)'/g)].map(
      ([, name]) => name,
    );
    const names = [...settled, ...takenBack, ...notified];

    const about = ['transaction.*', 'capture.*', 'refund.*'];
    expect([...new Set(names)].sort()).toEqual(EVENT_NAMES.filter((name) => matchesName(about, name)).sort());
  });

  it('has no name whose last word no module writes', async () => {
    const sources = await textOf('src/modules', '.ts');
    for (const name of EVENT_NAMES) {
      const [group = '', word = ''] = name.split('.');
      expect([name, sources.includes(`${group}.`) && sources.includes(`${word}'`)]).toEqual([name, true]);
    }
  });

  it('has names of one form, each once', () => {
    expect(new Set(EVENT_NAMES).size).toBe(EVENT_NAMES.length);
    for (const name of EVENT_NAMES) expect(name).toMatch(/^[a-z-]+(\.[a-z-]+){1,2}$/);
  });
});

async function textOf(folder: string, ending: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const texts = files
    .filter((file) => file.endsWith(ending))
    .map((file) => readFile(join(folder, file), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

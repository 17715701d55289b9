import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { FORM, type Log } from '../../src/platform/log.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { describeError } from '../../src/platform/describe-error.ts';
import { tellOutages } from '../../src/platform/outage.ts';
import { searchPrimary } from '../../src/platform/postgres/primary.ts';
import { lastingPort } from '../support/lasting-port.ts';

const ID = '01a22b6a-dae0-70fe-b9da-db246611cd6f';

/** Returns the line that some work logs. */
function lineOf(work: (log: Log) => void): Readonly<Record<string, unknown>> {
  let text = '';
  work(pino({ ...FORM, timestamp: false }, { write: (line: string) => void (text = line) }));
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

it('a line names its ids as spans do', () => {
  expect(
    lineOf((log) => log.warn({ requestId: ID, merchantAccountId: 'shop', removed: 3 }, 'Words.')),
  ).toEqual({
    ...{ level: 40, 'paygraph.request.id': ID, 'paygraph.merchant_account.id': 'shop' },
    ...{ removed: 3, msg: 'Words.' },
  });
});

/** An error as the driver throws it, with values in its fields. */
const refused = Object.assign(new TypeError('duplicate key "Erika" of 4111 1111 1111 1111'), {
  ...{ code: '23505', detail: 'Key (email)=(erika@example.org) already exists.', table: 'buyer' },
});

it.each([
  ['thrown', { err: refused }],
  ['described', { error: describeError(refused) }],
])('an error that was %s is an exception without values', (_, fields) => {
  const line = lineOf((log) => log.error(fields, 'Words.'));

  expect(line).toEqual({
    ...{ level: 50, msg: 'Words.', 'exception.type': 'TypeError', 'error.type': '23505' },
    'exception.message': 'duplicate key "…" of …',
    'exception.stacktrace': expect.stringMatching(/^at /),
  });
});

it.each([
  ['TypeError', { 'exception.type': 'TypeError' }],
  ['The broker closed the connection.', { 'exception.message': 'The broker closed the connection.' }],
])('the name or the reason of an error alone, such as %j, has its field', (error, fields) => {
  expect(lineOf((log) => log.error({ error }, 'Words.'))).toEqual({ level: 50, msg: 'Words.', ...fields });
});

it.each([
  ['away', 'ECONNREFUSED', {}],
  ['there', '23505', { 'exception.stacktrace': expect.stringMatching(/^at /) }],
])('the outage of a loop names its reason while the database is %s', (_, code, stack) => {
  const about = { loop: 'relay' };
  const words = { about, began: 'It began.', continues: 'It goes on.', ended: 'It ended.' };
  const error = Object.assign(new Error('Words of the driver.'), { code });

  expect(lineOf((log) => tellOutages(words, { clock: systemClock, log }).failed(error))).toEqual({
    ...{ level: 50, loop: 'relay', msg: 'It began.', 'exception.type': 'Error', 'error.type': code },
    ...{ 'exception.message': 'Words of the driver.', ...stack },
  });
});

it('the outage of a loop names the reason of each host of the database', async () => {
  const [one, other] = [await lastingPort(), await lastingPort()];
  const urls = [one, other].map((port) => `postgresql://ada:secret@127.0.0.1:${port}/paygraph`);
  const words = { about: {}, began: 'It began.', continues: 'It goes on.', ended: 'It ended.' };

  const error = await searchPrimary(urls)
    .find()
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );

  expect(lineOf((log) => tellOutages(words, { clock: systemClock, log }).failed(error))).toEqual({
    ...{ level: 50, msg: 'It began.', 'exception.type': 'AggregateError', 'error.type': 'ECONNREFUSED' },
    'exception.message': `connect ECONNREFUSED 127.0.0.1:${one}; connect ECONNREFUSED 127.0.0.1:${other}`,
  });
});

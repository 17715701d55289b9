import { describe, expect, it } from '@jest/globals';
import type { BrokerMessage } from '../../src/platform/brokers/broker.ts';
import { configuredBrokers } from '../../src/platform/brokers/configured.ts';
import { partsOf } from '../../src/platform/brokers/kafka.ts';
import { loadClient } from '../../src/platform/brokers/load-client.ts';
import { requireSubjects } from '../../src/platform/brokers/nats.ts';
import { reasonOf } from '../../src/platform/brokers/reason.ts';
import { parseConfig } from '../../src/platform/process/config.ts';

const messageOf = (sequence: number, bytes: number): BrokerMessage => ({
  merchantAccountId: 'acme',
  sequence: BigInt(sequence),
  id: `event-${sequence}`,
  name: 'transaction.captured',
  body: 'x'.repeat(bytes),
  headers: {},
});

describe('requests to Kafka', () => {
  it('stay below the bytes that a broker takes, and keep the order', () => {
    const messages = Array.from({ length: 10 }, (_, nth) => messageOf(nth, 199_500));

    const parts = partsOf(messages);
    expect(parts.map((part) => part.length)).toEqual([3, 3, 3, 1]);
    expect(parts.flat()).toEqual(messages);
  });

  it('hold a message alone that is larger than the bound', () => {
    expect(partsOf([messageOf(1, 10), messageOf(2, 900_000), messageOf(3, 10)])).toHaveLength(3);
    expect(partsOf([])).toEqual([]);
  });
});

describe('the subjects of a stream', () => {
  it.each([
    ['paygraph', ['paygraph.>']],
    ['paygraph', ['orders.*', '>']],
    ['payments.eu', ['payments.>']],
    ['payments.eu', ['payments.eu.>']],
  ])('take the events below %s: %j', (prefix, subjects) => {
    expect(() => requireSubjects({ config: { name: 'one', subjects } }, prefix)).not.toThrow();
  });

  it.each([
    ['paygraph', ['paygraph.*']],
    ['paygraph', ['paygraph.acme.>']],
    ['paygraph', ['pay.>']],
    ['payments.eu', ['payments.us.>']],
    ['paygraph', []],
  ])('lack events below %s: %j', (prefix, subjects) => {
    const check = () => requireSubjects({ config: { name: 'one', subjects } }, prefix);
    expect(check).toThrow(`The stream one lacks the subjects ${prefix}.> of the events. Add them.`);
  });
});

describe('the brokers of the settings', () => {
  it('are none by default', () => {
    expect(configuredBrokers(parseConfig({}))).toEqual([]);
  });

  it('have the names of their destinations', () => {
    const config = parseConfig({
      PAYGRAPH_OUTLET_NATS_URL: 'nats://one:4222, tls://two:4222',
      PAYGRAPH_OUTLET_NATS_STREAM: 'payments',
      PAYGRAPH_OUTLET_KAFKA_BROKERS: 'one:9092,two:9092',
    });
    const names = configuredBrokers(config).map(({ name }) => name);
    expect(names).toEqual(['nats:payments', 'kafka:paygraph.events']);
  });
});

describe('a client that is not installed', () => {
  it('is named with the command that installs it', async () => {
    const absent = '@nats-io/not-there';
    await expect(loadClient('nats', () => import(absent))).rejects.toThrow(
      'The client of nats is not installed. Install it beside Paygraph with: npm install @nats-io/jetstream@3.4.0 @nats-io/transport-node@3.4.0',
    );
  });
});

describe('the reason of a failure', () => {
  it.each([
    [new Error('one'), 'one'],
    [new AggregateError([new AggregateError([new Error('inner')], 'middle')], 'outer'), 'inner'],
    [new AggregateError([], 'alone'), 'alone'],
    [new RangeError(''), 'RangeError'],
    ['a text', 'a text'],
  ])('of %s is %j', (error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });
});

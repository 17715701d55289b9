import { expect, it } from '@jest/globals';
import { parsePayload, type EventTargets, type PaygraphEvent } from '../../src/client/index.ts';
import { eventCatalogue, type NameOf, type Target } from '../../src/modules/event-log/index.ts';
import type { TargetKind } from '../../src/modules/event-log/target-schemas.ts';

type Written = { readonly [Kind in TargetKind as NameOf<Kind>]: Target<Kind> };

// The type checker compares the types of the client with the types of the writers, in both directions.
const read = <Name extends keyof Written>(name: Name, written: Written): EventTargets[Name] => written[name];
const write = <Name extends keyof EventTargets>(name: Name, targets: EventTargets): Written[Name] =>
  targets[name];

/** Returns the fields that a consumer reads by the name of the event. */
function moneyOf(event: PaygraphEvent): readonly [number, string] | null {
  switch (event.name) {
    case 'refund.succeeded':
      return [-event.target.amount, event.target.currency];
    case 'transaction.captured':
      return [event.target.captured_amount, event.target.currency];
    default:
      return null;
  }
}

it('returns payloads whose name decides the type of the target', () => {
  const events = eventCatalogue().map(({ example }) => parsePayload({ payload: JSON.stringify(example) }));

  expect(events.map(moneyOf).filter((money) => money !== null)).toEqual([
    [-500, 'EUR'],
    [1299, 'EUR'],
  ]);
});

it('has the same targets as the service', () => {
  const targets = Object.fromEntries(
    eventCatalogue().map(({ name, example }) => [name, example['target']]),
  ) as EventTargets & Written;

  for (const { name } of eventCatalogue()) expect(read(name, targets)).toBe(write(name, targets));
});

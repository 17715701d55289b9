import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { CheckRequest } from '../../src/connectors/anti-fraud/check-request.ts';
import {
  fromWire102,
  reviewFromWire102,
  toWire102,
} from '../../src/connectors/sandbox/anti-fraud/wire-10-2.ts';
import { fromWire21, reviewFromWire21, toWire21 } from '../../src/connectors/sandbox/anti-fraud/wire-2-1.ts';
import { BARE_CHECK as bare, CHECKED_CARD } from '../support/check-request.ts';

type Fixtures = {
  readonly requests: { readonly full: unknown; readonly bare: unknown };
  readonly answers: Readonly<Record<string, unknown>>;
  readonly unreadable: Readonly<Record<string, unknown>>;
  readonly reviews: { readonly accept: unknown; readonly reject: unknown };
  readonly noReviews: Readonly<Record<string, unknown>>;
};

const fixtures = (version: string): Fixtures =>
  JSON.parse(readFileSync(new URL(`anti-fraud/${version}.json`, import.meta.url), 'utf8')) as Fixtures;

const { key: KEY } = bare;

const credentials = { merchant_id: 'm-1', api_key: 'a secret of the test' };

const full: CheckRequest = {
  ...bare,
  buyer: {
    displayName: 'J. Doe',
    externalIdentifier: 'customer-7',
    billingDetails: {
      firstName: 'Jane',
      lastName: 'Doe',
      emailAddress: 'jane@shop.example',
      phoneNumber: '+491701234567',
      address: {
        ...{ city: 'Berlin', country: 'DE', postalCode: '10115', line1: 'Torstraße 1', line2: null },
        ...{ houseNumberOrName: null, state: null, stateCode: null, organization: null },
      },
    },
    account: null,
  },
  card: CHECKED_CARD,
  deviceFingerprint: 'session 12',
};

/** Each word of the anti-fraud service with its meaning, and with the service's own id and word. */
const SAID: readonly (readonly [string, string | null, string, string])[] = [
  ['accept', 'chk_1', '100', 'Low risk'],
  ['reject', 'chk_2', '200', 'Listed card'],
  ['review', 'chk_3', '300', 'Unusual amount'],
  ['error', 'chk_4', '500', 'Rules failed'],
  ['exception', 'chk_5', '504', 'Rules timed out'],
  ['skipped', null, '400', 'No e-mail address'],
];

describe.each([
  {
    version: '2.1',
    ...{ toWire: toWire21, fromWire: fromWire21, reviewFrom: reviewFromWire21 },
    named: { eventKey: expect.stringMatching(/^sha256:[\w-]{43}$/), occurredAt: null },
  },
  {
    version: '10.2',
    ...{ toWire: toWire102, fromWire: fromWire102, reviewFrom: reviewFromWire102 },
    named: { eventKey: expect.stringMatching(/^evt_/), occurredAt: new Date('2026-11-22T09:00:00Z') },
  },
])('version $version', ({ version, toWire, fromWire, reviewFrom, named }) => {
  const { requests, answers, unreadable, reviews, noReviews } = fixtures(version);

  test('sends all known facts of the payment, and no others', () => {
    expect(toWire(credentials, full)).toEqual(requests.full);
    expect(toWire(credentials, bare)).toEqual(requests.bare);
  });

  test.each(SAID)('reads %s', (decision, reference, rawResponseCode, rawResponseDescription) => {
    expect(fromWire(answers[decision], KEY)).toEqual({
      kind: 'decided',
      ...{ decision, reference, rawResponseCode, rawResponseDescription },
    });
  });

  test('has no word for a decision outside of this test', () => {
    expect(Object.keys(answers)).toEqual(SAID.map(([decision]) => decision));
  });

  test.each(Object.keys(unreadable))('takes no decision from %s', (name) => {
    expect(fromWire(unreadable[name], KEY)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });

  test('reads a reviewer’s decision, and the same for a repeat', () => {
    const read = { interfaceVersion: version, key: KEY, reference: 'chk_3', ...named };

    expect(reviewFrom(reviews.accept)).toEqual({ ...read, decision: 'accept', comment: 'Called the buyer' });
    expect(reviewFrom(reviews.reject)).toEqual({ ...read, decision: 'reject', comment: null });
    expect(reviewFrom(reviews.accept)).toEqual(reviewFrom(reviews.accept));
    expect(reviewFrom(reviews.accept)?.eventKey).not.toBe(reviewFrom(reviews.reject)?.eventKey);
  });

  test.each(Object.keys(noReviews))('reads no review that is %s', (name) => {
    expect(reviewFrom(noReviews[name])).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import { threeDSDataV1, threeDSDataV2 } from '../../src/modules/three-ds/index.ts';
import { parseInput } from '../../src/platform/input/validate.ts';

const COMMON = {
  cavv: '3q2+78r+ur7erb7vyv66vv8=',
  eci: '05',
  directoryResponse: 'Y',
  scheme: 'visa',
  authenticationResponse: 'Y',
};
const V1 = { ...COMMON, version: '1.0.2', cavvAlgorithm: '2', xid: 'MDAwMDAwMDAwMDEyMzQ2Njc4OTA=' };
const V2 = {
  ...COMMON,
  version: '2.2.0',
  directoryTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
};

type Case = readonly [what: string, change: Readonly<Record<string, unknown>>, path: string | null];

/** Cases for both versions. A null path means that the data is accepted. */
const BOTH: readonly Case[] = [
  ['as documented', {}, null],
  ['without a scheme', { scheme: undefined }, null],
  ['with a scheme of null', { scheme: null }, null],
  ['with a scheme that is none', { scheme: 'vista' }, 'scheme'],
  ['with an ECI of one digit', { eci: '5' }, null],
  ['with an ECI of 0', { eci: '00' }, null],
  ['with an ECI above 09', { eci: '10' }, 'eci'],
  ['with an ECI of three digits', { eci: '005' }, 'eci'],
  ['with an empty ECI', { eci: '' }, 'eci'],
  ['with an ECI and a line break', { eci: '05\n' }, 'eci'],
  ['without a CAVV', { cavv: undefined }, 'cavv'],
  ['with an empty CAVV', { cavv: '' }, 'cavv'],
  ['with too long a CAVV', { cavv: 'x'.repeat(201) }, 'cavv'],
  ['with an empty directory response', { directoryResponse: '' }, 'directoryResponse'],
  ['with a directory response of two letters', { directoryResponse: 'YN' }, 'directoryResponse'],
  [
    'with an authentication response of two letters',
    { authenticationResponse: 'YN' },
    'authenticationResponse',
  ],
  ['with no version', { version: undefined }, 'version'],
  ['with a version of words', { version: 'two' }, 'version'],
  ['with version 3', { version: '3.0' }, 'version'],
];

const tried = (schema: typeof threeDSDataV1 | typeof threeDSDataV2, data: object): string[] => {
  const parsed = parseInput<typeof schema>(schema, data);
  return parsed.ok ? [] : parsed.refusals.map(({ path }) => path.slice(1).join('.'));
};

describe('external data of version 1', () => {
  it.each<Case>([
    ...BOTH,
    ['with version 1 alone', { version: '1' }, null],
    ['with version 2', { version: '2.1.0' }, 'version'],
    ['without an authentication response', { authenticationResponse: null }, 'authenticationResponse'],
    ['without a CAVV algorithm', { cavvAlgorithm: undefined }, 'cavvAlgorithm'],
    ['with a long CAVV algorithm', { cavvAlgorithm: '22' }, 'cavvAlgorithm'],
    ['without an XID', { xid: undefined }, 'xid'],
  ])('%s', (_, change, path) => {
    expect(tried(threeDSDataV1, { ...V1, ...change })).toEqual(path === null ? [] : [path]);
  });
});

describe('external data of version 2', () => {
  it.each<Case>([
    ...BOTH,
    ['with version 2 alone', { version: '2' }, null],
    ['with version 1', { version: '1.0.2' }, 'version'],
    ['without a challenge', { authenticationResponse: null }, null],
    ['without a directory transaction', { directoryTransactionId: undefined }, 'directoryTransactionId'],
    ['with an empty directory transaction', { directoryTransactionId: '' }, 'directoryTransactionId'],
  ])('%s', (_, change, path) => {
    expect(tried(threeDSDataV2, { ...V2, ...change })).toEqual(path === null ? [] : [path]);
  });

  it('lists all faults, and repeats no value', () => {
    const wrong = { cavv: '', eci: 'canary', version: 'canary', directoryResponse: 'canary' };
    const parsed = parseInput(threeDSDataV2, wrong);

    expect(tried(threeDSDataV2, wrong)).toEqual([
      'cavv',
      'eci',
      'directoryResponse',
      'version',
      'directoryTransactionId',
    ]);
    expect(JSON.stringify(parsed)).not.toContain('canary');
  });
});

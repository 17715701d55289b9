import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GIFT_CARD_ERROR_CODES } from '../../src/connectors/interface/gift-cards.ts';
import { DECLINE_CODES, listedCode } from '../../src/connectors/codes/decline-codes.ts';
import { refusalsByAmount } from '../../src/connectors/sandbox/simulator/error-codes.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());
beforeEach(() => harness.pass(0));

type Listed = { readonly code: string; readonly kind: string; readonly goesOn: boolean };

const listed = async (): Promise<readonly Listed[]> =>
  (
    await harness.ask<{ declineCodes: readonly Listed[] }>(
      '{ declineCodes { code description kind goesOn } }',
    )
  ).declineCodes;

describe('declineCodes', () => {
  it('lists every code once by name, each with a sentence', async () => {
    const codes = await listed();

    expect(codes.map(({ code }) => code)).toEqual(Object.keys(DECLINE_CODES).toSorted());
    expect(codes).toContainEqual({
      ...{ code: 'issuer_decline', kind: 'DECLINED', goesOn: true },
      description: 'The issuer declined and gave no further reason.',
    });
    expect(codes).toContainEqual(expect.objectContaining({ code: 'insufficient_funds', goesOn: false }));
    expect(codes).toContainEqual(
      expect.objectContaining({ code: 'missing_cvv', kind: 'FAILED', goesOn: true }),
    );
    for (const { meaning } of Object.values(DECLINE_CODES)) expect(meaning).toMatch(/^[A-Z0-9].*\.$/);
  });

  it('has every code of the sandbox, of gift cards and of the statements', async () => {
    const sandbox = Object.values(refusalsByAmount).flatMap((refusals) => [...refusals.values()]);
    const codes = (await listed()).map(({ code }) => code);

    for (const { errorCode, kind } of sandbox) expect(DECLINE_CODES[errorCode].kind).toBe(kind);
    expect(GIFT_CARD_ERROR_CODES.filter((code) => !codes.includes(code))).toEqual([]);
    expect(await codesOfStatements()).toEqual(['canceled']);
    expect(codes).toContain('canceled');
  });

  it('needs the scope of transactions', async () => {
    const token = await harness.server.mint({ scopes: ['events.read'] });
    const { body } = await harness.server.graphql('{ declineCodes { code } }', {}, { token });

    expect(body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});

describe('a code of a provider', () => {
  it('that is not listed becomes a listed code without a further reason', () => {
    expect(listedCode('insufficient_funds', 'declined')).toBe('insufficient_funds');
    expect(listedCode('acme_17', 'declined')).toBe('other_decline');
    expect(listedCode('acme_17', 'failed')).toBe('unknown_error');
    expect(listedCode('toString', 'failed')).toBe('unknown_error');
    expect(listedCode(null, 'failed')).toBe('unknown_error');
  });
});

/** Lists the codes that statements write as text. The compiler checks all others. */
async function codesOfStatements(): Promise<readonly string[]> {
  const files = (await readdir('src/modules', { recursive: true })).filter((file) =>
    /\.sql(\.ts)?$/.test(file),
  );
  const texts = await Promise.all(files.map((file) => readFile(join('src/modules', file), 'utf8')));
  return [
    ...new Set(
      texts.flatMap((text) => [...text.matchAll(/error_code = '([^']*)'/g)].map(([, code = '']) => code)),
    ),
  ];
}

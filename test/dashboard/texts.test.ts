import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DECLINE_CODES } from '../../src/connectors/codes/decline-codes.ts';
import { english } from '../../src/dashboard/texts/english.ts';

const FOLDER = join(import.meta.dirname, '../../src/dashboard/texts');

/** The files of the languages beside English. */
const FILES = readdirSync(FOLDER).filter(
  (name) => /\.ts$/.test(name) && !/^(english|language|texts)\./.test(name),
);

/** Words that another language may share with English: names, loanwords and words of one origin. */
const ALIKE = new Set(
  `Active Analyst Browser Capture Challenge Chargeback Code Description Details E-mail Endpoint Filter Format
  Header Id Links Live Message Name Net Note PIN Paygraph Person Sandbox Service Services Sessions Signature
  Source Status Support Team Test Text Total Type Version Webhook Webhooks`.split(/\s+/),
);
/** Names of products and standards, and numbers of test cards. */
const NAMES =
  /^(CloudEvents 1\.0|3-D Secure|ECI|TLS|Passkeys?|Apple Pay|Google Pay|–|(Visa|Mastercard|American Express) [\d ]+)$/;

/** Lists each text with its place, such as `home.title`. Sentences with values are left out. */
function* textsOf(tree: object, place = ''): Generator<readonly [string, string]> {
  for (const [key, value] of Object.entries(tree) as [string, unknown][]) {
    if (typeof value === 'string') yield [`${place}${key}`, value];
    else if (typeof value === 'object' && value !== null) yield* textsOf(value, `${place}${key}.`);
  }
}

/** Every code with the sentence of the API. */
const MEANINGS = Object.fromEntries(
  Object.entries(DECLINE_CODES).map(([code, { meaning }]) => [code, meaning] as const),
);

const inEnglish = new Map(textsOf(english));

describe('the texts of the dashboard', () => {
  it('have the sentence of the API for each reason of a decline', () => {
    expect(english.declines).toEqual(MEANINGS);
  });

  it.each(FILES)('of %s are not left in English', async (file) => {
    const loaded = (await import(join(FOLDER, file))) as Readonly<Record<string, object>>;
    const texts = [...textsOf(Object.values(loaded)[0] ?? {})];

    expect(texts.length).toBe(inEnglish.size);
    expect(
      texts.filter(([place, text]) => text === inEnglish.get(place) && !ALIKE.has(text) && !NAMES.test(text)),
    ).toEqual([]);
  });
});

import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readCatalogue } from '../../.config/catalogues.ts';
import { argumentsOf } from '../../.config/messages.ts';
import { DECLINE_CODES } from '../../src/connectors/codes/decline-codes.ts';

const FOLDER = 'src/dashboard/texts';

/** The languages beside English. */
const LANGUAGES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'en')
  .map(({ name }) => name);

/** Words that another language may share with English: names, loanwords and words of one origin. */
const ALIKE = new Set(
  `Active Analyst Browser Capture Challenge Chargeback Code Description Details E-mail Endpoint Filter Format
  Header Id Links Live Message Moment Name Net Note PIN Paygraph Person Sandbox Service Services Sessions Signature
  Source Status Support Team Test Text Total Type Version Webhook Webhooks no`.split(/\s+/),
);
/** Names of products and standards, and numbers of test cards. */
const NAMES =
  /^(CloudEvents 1\.0|3-D Secure|ECI|TLS|Passkeys?|Apple Pay|Google Pay|PayPal|iDEAL|Venmo|OXXO|Trustly|–|(Visa|Mastercard|American Express) [\d ]+)$/;

/** Lists each text with its place, such as `home.title`. Sentences with values are left out. */
async function textsOf(language: string): Promise<ReadonlyMap<string, string>> {
  const { texts } = await readCatalogue('.', FOLDER, language);
  const plain = [...texts].filter(([, { message }]) => argumentsOf(message).size === 0);
  return new Map(
    plain.map(
      ([
        place,
        {
          message: [part],
        },
      ]) => [place, part && 'value' in part ? part.value : ''],
    ),
  );
}

/** Every code with the sentence of the API. */
const MEANINGS = Object.fromEntries(
  Object.entries(DECLINE_CODES).map(([code, { meaning }]) => [code, meaning] as const),
);

const inEnglish = await textsOf('en');

describe('the texts of the dashboard', () => {
  it('have the sentence of the API for each reason of a decline', () => {
    const declines = [...inEnglish].flatMap(([place, text]) =>
      place.startsWith('declines.') ? [[place.slice('declines.'.length), text] as const] : [],
    );

    expect(Object.fromEntries(declines)).toEqual(MEANINGS);
  });

  it.each(LANGUAGES)('of %s are not left in English', async (language) => {
    const texts = [...(await textsOf(language))];

    expect(texts.length).toBe(inEnglish.size);
    expect(
      texts.filter(([place, text]) => text === inEnglish.get(place) && !ALIKE.has(text) && !NAMES.test(text)),
    ).toEqual([]);
  });
});

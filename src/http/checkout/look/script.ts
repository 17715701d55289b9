import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The script of the payment page, sent inline and allowed by its hash. Without the script the page still
 * works.
 */
export const SCRIPT = read('in-browser.js');

/** The script of a page with a text to copy, such as the code of a payment. */
export const SCRIPT_WITH_COPY = `${SCRIPT}\n${read('copy-in-browser.js')}`;

/** The script of a page with a wallet. One script, so that the order of its listeners is certain. */
export const SCRIPT_WITH_WALLETS = `${SCRIPT}\n${read('wallets-in-browser.js')}`;

function read(name: string): string {
  return smaller(readFileSync(join(import.meta.dirname, name), 'utf8'));
}

/** Removes indentation and comment lines. */
function smaller(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:\/\/|\/\*\*)/.test(line))
    .join('\n');
}

/**
 * Every script of the payment page, with its purpose and the hash that the policy allows (PCI DSS 6.4.3).
 *
 * A test compares the hashes with the page as sent, so that each change of a script is reviewed.
 */
export const SCRIPT_INVENTORY = [
  {
    script: 'src/http/checkout/look/in-browser.js',
    purpose:
      'Groups the digits of the card, shows the networks of a co-badged card, shows mistakes beside their fields, sends a form once, sees when a payment is done, says times in the time zone of the buyer, prints, describes the browser.',
    source: "'sha256-JmGvoKacTogefwA7NvvbEhHZGt+nZdjmQnwTHXYHnTQ='",
  },
  {
    script: 'src/http/checkout/look/wallets-in-browser.js',
    purpose:
      'Follows the first script in one element. Asks the browser for Apple Pay and Google Pay, shows the buttons, asks our server for a session at Apple, and sends the token of the wallet.',
    source: "'sha256-0RKKb2KsDsWUSkRT4q/cl/WbE7ZvmTvqYWUt4mmqB5Y='",
  },
  {
    script: 'src/http/checkout/look/copy-in-browser.js',
    purpose:
      'Follows the first script in one element. Shows the button that copies a code or a reference, and copies.',
    source: "'sha256-UghIVinlFFlHltP2bmcy8hg63gNgKhNuEY9zcDRLFKI='",
  },
] as const;

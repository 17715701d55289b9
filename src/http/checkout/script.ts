import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The only script of the payment page, sent inline and allowed by its hash. Without the script the page still
 * works.
 */
export const SCRIPT = smaller(readFileSync(join(import.meta.dirname, 'in-browser.js'), 'utf8'));

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
    script: 'src/http/checkout/in-browser.js',
    purpose:
      'Groups the digits of the card, shows mistakes beside their fields, sends a form once, sees when a payment is done, says times in the time zone of the buyer, prints, describes the browser.',
    source: "'sha256-vgbLbHjGfXg7/wq8kh7PbZ9sFkY336FoB2RN4rwfsco='",
  },
] as const;

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const SOURCES = ['transactions', 'payment-services/anti-fraud', 'disputes'].map(
  (folder) => new URL(`../../src/modules/${folder}`, import.meta.url).pathname,
);

/**
 * People above their limit do not act in the histories. test/transactions/refund-approval-kill.long.test.ts has their deaths.
 * No settlement comes, and every webhook can be read. test/settlements/lines-crash.test.ts and
 * test/transactions/unread-webhooks.test.ts have those deaths. The sandbox's anti-fraud service hears no reports.
 * The deaths after them are in test/transactions/fraud-reports.test.ts. The deaths in a later try are in
 * test/transactions/retry-plans/crash.test.ts.
 */
const WITHOUT_HISTORIES = /^(refund-approval|lines|unread|fraud-report|retry-plan)\./;

const KINDS = ['authorize', 'increase', 'reauthorize', 'capture', 'refund', 'void', 'cancel'] as const;

/** Operations of gift cards. Their providers decide at once and have no look-up. */
const GIFT_CARD_KINDS = ['redeem', 'unredeem'] as const;
const NOT_OF_GIFT_CARDS = /\.(accept|look)/;

/**
 * Reads the names of the failpoints of payments, of anti-fraud checks and of disputes from the sources. So the simulation
 * covers each new failpoint.
 */
export async function readFailpoints(): Promise<readonly string[]> {
  const texts = (await Promise.all(SOURCES.map(readFolder))).flat();
  const written = texts.flatMap((text) => [...text.matchAll(CALL)].map(([, name = '']) => name));
  return [...new Set(written.flatMap(expand))].filter((name) => !WITHOUT_HISTORIES.test(name)).toSorted();
}

async function readFolder(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true });
  return Promise.all(
    files.filter((file) => file.endsWith('.ts')).map((file) => readFile(join(folder, file), 'utf8')),
  );
}

const CALL = /\bfailpoint\(\s*['"`]([^'"`]+)['"`]/g;
const PART = /\$\{(?:kind|verb)\}/;

/**
 * Expands a name with the kind of operation into one name for each kind. Any other variable part cannot be read from
 * the text.
 */
function expand(name: string): readonly string[] {
  const kinds = NOT_OF_GIFT_CARDS.test(name) ? KINDS : [...KINDS, ...GIFT_CARD_KINDS];
  const names = PART.test(name) ? kinds.map((kind) => name.replace(PART, kind)) : [name];
  const unread = names.find((one) => one.includes('${'));
  if (unread !== undefined) throw new Error(`The failpoint ${unread} has a part that is not known here.`);
  return names;
}

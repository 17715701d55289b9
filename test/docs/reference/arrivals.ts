import type { Connector } from '../../../src/connectors/interface/connector.ts';
import { connectors } from '../../../src/connectors/index.ts';
import { PAUSE_MS } from '../../../src/modules/settlements/fetch/source.ts';
import { RETENTION_MS } from '../../../src/modules/transactions/notices/schedule.ts';
import { AGES_MS } from '../../../src/modules/transactions/sweep/passes.ts';
import { table, withTable } from './table.ts';

/** The words of the guides about operations that were made at a provider. */
const TOLD: Readonly<Record<string, { readonly byWebhook: string; readonly settled: string }>> = {
  stripe: {
    byWebhook: 'captures, refunds, cancels and increases',
    settled: 'the balance of the account has the entry',
  },
  paypal: {
    byWebhook: 'captures, refunds and voids',
    settled: 'the transaction search has the movement, which takes up to three hours',
  },
  checkout: { byWebhook: 'captures, refunds and voids', settled: '' },
  adyen: {
    byWebhook: 'captures, refunds, cancels and changes of the amount',
    settled: 'Adyen has made the report of the batch',
  },
};

/** The connectors whose guides have the table. */
export const GUIDES: readonly string[] = Object.keys(TOLD);

const MINUTE_MS = 60_000;

const UNITS = [
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
] as const;

/** Writes a time in its largest unit without a rest, such as `36 hours`. */
function inWords(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, each]) => ms % each === 0) ?? ['minute', MINUTE_MS];
  const count = ms / unitMs;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The times between two comparisons of a payment, youngest first. */
const gaps = AGES_MS.map((ageMs, index) => ageMs - (AGES_MS[index - 1] ?? 0));

const AGES = '[age](../concepts/made-elsewhere.md#without-a-webhook)';

/** Lists the ways by which operations of a provider arrive, each with its greatest delay. */
function arrivalsOf(connector: Connector): string {
  const { id, settlements } = connector;
  const isCompared = 'readBooks' in connector;
  return table(
    ['by', 'tells', 'is booked at the latest'],
    [
      [
        'webhook',
        TOLD[id]?.byWebhook ?? '',
        `when the webhook arrives. One that matches nothing yet waits, for ${inWords(RETENTION_MS)} at most`,
      ],
      [
        'comparison',
        isCompared ? 'all of them' : 'none, because no call tells a payment as a whole',
        isCompared
          ? `at the next ${AGES} of the payment: ${inWords(gaps[0] ?? 0)} for a new one, ${inWords(Math.max(...gaps))} for an old one`
          : '',
      ],
      ...(settlements
        ? [
            [
              'settlement',
              'an entry that names a payment but no booked operation is booked or listed as a difference',
              `with the import, ${inWords(PAUSE_MS)} after ${TOLD[id]?.settled ?? ''}`,
            ],
          ]
        : []),
    ],
  );
}

/** Writes the guide to a provider, whose table of arrivals comes from the code. */
export function guidePage(id: string): Promise<string> {
  const connector = connectors.find((each) => each.id === id);
  if (!connector || !(id in TOLD)) throw new Error(`No words tell how operations of ${id} arrive.`);
  return withTable(`src/docs/guides/${id}.md`, arrivalsOf(connector));
}

/** Writes the page about operations made elsewhere, whose table of ages comes from the code. */
export const madeElsewherePage = (): Promise<string> =>
  withTable(
    'src/docs/concepts/made-elsewhere.md',
    table(
      ['compared at the age of', 'an operation since the comparison before is late by at most'],
      AGES_MS.map((ageMs, index) => [inWords(ageMs), inWords(gaps[index] ?? 0)]),
    ),
  );

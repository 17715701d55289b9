import type {
  Difference,
  DifferenceFilter,
  DifferenceSource,
  DifferenceState,
  OperationKind,
} from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api, isUuid } from '../../app/data/api.ts';
import { pageOf, readAll, rowsOf, type Ask } from '../../app/data/pages.ts';
import { texts } from '../../texts/texts.ts';

const MONEY = { amount: true, currency: true } as const;

/** The selection of a line on the page of a payment. */
export const LINE = {
  ...{ id: true, finding: true, operationKind: true, foundAt: true },
  reported: MONEY,
} as const;

const ROW = {
  ...LINE,
  ...{ source: true, state: true },
  operation: { amount: true, currency: true, status: true },
  transaction: {
    ...{ id: true, currency: true, externalIdentifier: true },
    ...{ authorizedAmount: true, capturedAmount: true, refundedAmount: true },
  },
} as const;

/** A difference of the list. */
export type DifferenceRow = Answer<Difference, typeof ROW>;

/** The states that a person can choose. */
export const SHOWN = {
  open: 'OPEN',
  adopted: 'ADOPTED',
  dismissed: 'DISMISSED',
  resolved: 'RESOLVED',
  all: null,
} as const satisfies Readonly<Record<string, DifferenceState | null>>;

export type Shown = keyof typeof SHOWN;

/** The kinds of operations that a provider reports. */
export const KINDS = [
  ...(['AUTHORIZE', 'INCREASE', 'CAPTURE', 'REFUND', 'VOID', 'CANCEL', 'RELEASE'] as const),
] satisfies readonly OperationKind[];

export const SOURCES = Object.keys(texts.differences.source) as readonly DifferenceSource[];

const DAY_MS = 24 * 3_600_000;

/** The ages that a person can choose: the days since when a difference is known, at least or at most. */
export const AGES = {
  fresh: { most: 1 },
  day: { least: 1 },
  week: { least: 7 },
  month: { least: 30 },
} as const satisfies Readonly<Record<string, { readonly least?: number; readonly most?: number }>>;

export type Age = keyof typeof AGES;

/** The differences that a person asks for. An empty text filters nothing. */
export type Filters = {
  readonly shown: Shown;
  readonly source: string;
  readonly kind: string;
  readonly service: string;
  readonly age: string;
};

const daysAgo = (days: number | undefined): string | null =>
  days === undefined ? null : new Date(Date.now() - days * DAY_MS).toISOString();

/** Returns the filter of the API. A value of the address that nobody can choose filters nothing. */
function toApi({ shown, source, kind, service, age }: Filters): DifferenceFilter {
  const state = SHOWN[shown];
  const sources = SOURCES.filter((each) => each === source);
  const kinds = KINDS.filter((each) => each === kind);
  const chosen = Object.entries(AGES).find(([name]) => name === age)?.[1];
  const days: { readonly least?: number; readonly most?: number } = chosen ?? {};
  return {
    ...(state !== null && { state: [state] }),
    ...(sources.length > 0 && { source: sources }),
    ...(kinds.length > 0 && { operationKind: kinds }),
    paymentServiceId: isUuid(service) ? service : null,
    ...{ foundAtLte: daysAgo(days.least), foundAtGte: daysAgo(days.most) },
  };
}

/** Reads a page of the differences, newest first. */
export async function readDifferences(filters: Filters, { after, signal }: Ask) {
  const { differences } = await api.query(
    { differences: [{ first: 50, after, filter: toApi(filters) }, pageOf(ROW)] },
    { signal },
  );
  return rowsOf(differences);
}

const SERVICE = { id: true, displayName: true } as const;

/** Reads the payment services that can be chosen. */
export const readServices = (signal: AbortSignal) =>
  readAll(signal, async ({ after }) => {
    const { paymentServices } = await api.query(
      { paymentServices: [{ first: 100, after }, pageOf(SERVICE)] },
      { signal },
    );
    return rowsOf(paymentServices);
  });

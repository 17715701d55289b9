import { texts } from '../../../texts/texts.ts';
import { COLUMN_NAMES, type ColumnName } from '../columns.tsx';
import { addressOf, NO_FILTERS, readFilters, type Filters } from '../filters/filters.ts';

/** A name for filters and columns. */
export type View = {
  readonly name: string;
  readonly filters: Filters;
  /** Null keeps the present columns. */
  readonly columns: readonly ColumnName[] | null;
};

const { names } = texts.payments.views;

/** The views that come along. */
export const GIVEN_VIEWS: readonly View[] = [
  { name: names.all, filters: NO_FILTERS, columns: null },
  {
    name: names.declined,
    filters: { ...NO_FILTERS, status: 'AUTHORIZATION_DECLINED', created: 'today' },
    columns: null,
  },
  { name: names.toCapture, filters: { ...NO_FILTERS, status: 'AUTHORIZATION_SUCCEEDED' }, columns: null },
  { name: names.waiting, filters: { ...NO_FILTERS, status: 'BUYER_APPROVAL_PENDING' }, columns: null },
  { name: names.review, filters: { ...NO_FILTERS, review: 'yes' }, columns: null },
];

const KEY = 'paygraph.payments.views';

/** A view as this browser keeps it. */
type Kept = { readonly name: string; readonly address: string; readonly columns: readonly string[] };

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'address' in value &&
  typeof value.address === 'string' &&
  'columns' in value &&
  Array.isArray(value.columns);

/** Reads the views that a person saved in this browser, by name. Values of another form are left out. */
export function readViews(): readonly View[] {
  const kept = parse(localStorage.getItem(KEY));
  return (Array.isArray(kept) ? kept : []).filter(isKept).map(({ name, address, columns }) => ({
    name,
    filters: readFilters(new URLSearchParams(address.split('?')[1] ?? '')),
    columns: COLUMN_NAMES.filter((each) => columns.includes(each)),
  }));
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function keep(views: readonly View[]): readonly View[] {
  const kept = views
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, filters, columns }) => ({ name, address: addressOf(filters), columns: columns ?? [] }));
  localStorage.setItem(KEY, JSON.stringify(kept));
  return readViews();
}

/** Saves a view in this browser. It replaces one of the same name, and the one of the former name. Returns all views. */
export const saveView = (view: View, former = view.name): readonly View[] =>
  keep([...readViews().filter(({ name }) => name !== view.name && name !== former), view]);

/** Forgets a view. Returns the other ones. */
export const forgetView = (name: string): readonly View[] =>
  keep(readViews().filter((view) => view.name !== name));

type Present = { readonly filters: Filters; readonly columns: readonly ColumnName[] };

/** Returns true if the list shows what a view names. */
export const isShown = (view: View, { filters, columns }: Present): boolean =>
  addressOf(view.filters) === addressOf(filters) &&
  (view.columns === null || view.columns.join() === columns.join());

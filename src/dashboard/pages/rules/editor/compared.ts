import type { CardScheme } from '../../../../client/generated/schema.ts';
import { readMoney, typeMoney } from '../../../design/value.tsx';
import type { Action } from '../rule.ts';

/** The price of a service as a person fills it in. Empty: any scheme, any country, no fixed part. */
export type PriceForm = {
  readonly service: string;
  readonly scheme: '' | CardScheme;
  readonly country: string;
  readonly percentage: string;
  readonly fixed: string;
  readonly currency: string;
};

/** The terms by which a rule compares services. */
export type ComparedForm = {
  readonly hours: string;
  readonly kept: string;
  readonly cases: string;
  readonly prices: readonly PriceForm[];
};

export const NEW_COMPARED: ComparedForm = { hours: '72', kept: '5', cases: '100', prices: [] };

export const newPrice = (service: string): PriceForm => ({
  ...{ service, scheme: '', country: '', percentage: '', fixed: '', currency: '' },
});

/** Returns the terms of an action as a person types them. */
export function comparedForm({ bySuccess, byCost }: Action): Partial<ComparedForm> {
  if (bySuccess) {
    const { lastHours = 72, keepShare = 5, minimumCases = 100 } = bySuccess;
    return { hours: String(lastHours), kept: String(keepShare), cases: String(minimumCases) };
  }
  return byCost ? { prices: (byCost.table ?? []).map(priceForm) } : {};
}

type Price = NonNullable<NonNullable<Action['byCost']>['table']>[number];

const priceForm = ({ paymentServiceId, scheme, country, percentage, fixed }: Price): PriceForm => ({
  ...{ service: paymentServiceId, scheme: scheme ?? '', country: country ?? '', percentage },
  ...{ fixed: fixed ? typeMoney(fixed) : '', currency: fixed?.currency ?? '' },
});

type Order = { readonly paymentServiceIds: readonly string[]; readonly onlyThese: boolean };

/** Translates an order by success for the API. Null while a value is missing or unreadable. */
export function bySuccessFrom(order: Order, { hours, kept, cases }: ComparedForm): Action | null {
  const [lastHours, keepShare, minimumCases] = [hours, kept, cases].map(wholeNumber);
  if (lastHours === undefined || keepShare === undefined || minimumCases === undefined) return null;
  return hasSeveral(order) ? { bySuccess: { ...order, lastHours, keepShare, minimumCases } } : null;
}

/** Translates an order by cost for the API. Null while a value is missing or unreadable. */
export function byCostFrom(order: Order, { prices }: ComparedForm): Action | null {
  const table = prices.map(priceFrom);
  if (!hasSeveral(order) || !table.every((each) => each !== null)) return null;
  return { byCost: { ...order, table } };
}

const hasSeveral = ({ paymentServiceIds }: Order): boolean => paymentServiceIds.length > 1;

const wholeNumber = (text: string): number | undefined =>
  /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;

/** Reads a fixed part. Zero makes a price for one currency alone. */
const fixedAmount = (text: string, currency: string): number | null =>
  /^0+([.,]0*)?$/.test(text.trim()) ? 0 : readMoney(text, currency);

function priceFrom({ service, scheme, country, percentage, fixed, currency }: PriceForm): Price | null {
  const percent = percentage.trim().replace(',', '.');
  const amount = fixed.trim() === '' || currency === '' ? null : fixedAmount(fixed, currency);
  // A fixed part without its currency is not readable.
  const isReadable = fixed.trim() === '' || amount !== null;
  if (service === '' || !isReadable || !/^\d{1,2}(\.\d{1,4})?$/.test(percent)) return null;
  return {
    ...{ paymentServiceId: service, percentage: percent },
    ...(scheme !== '' && { scheme }),
    ...(country !== '' && { country }),
    ...(amount !== null && { fixed: { amount, currency } }),
  };
}

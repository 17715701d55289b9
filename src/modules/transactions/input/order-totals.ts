import { isGoods, partOf, type OrderTotals } from '../../../connectors/interface/order.ts';
import { AMOUNT_MAX } from '../../../kernel/money.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { CartItem, OrderDetails } from '../model/details.ts';

/** A payment with its cart and the totals beside the cart. */
export type Ordered = {
  readonly amount: number;
  readonly lines: readonly CartItem[];
  readonly details: OrderDetails;
};

/** The reason why lines and totals do not make the amount, with the path of the value that is wrong. */
export type Disagreement = { readonly path: readonly (string | number)[]; readonly message: string };

/** The totals that both the lines and the merchant can tell. */
const TOLD = ['taxAmount', 'shippingAmount', 'dutyAmount'] as const;

/** True if the merchant gave totals beside the lines. */
export const hasTotals = (details: OrderDetails): boolean =>
  details.amountIncludesTax !== null || TOLD.some((name) => details[name] !== null);

/**
 * Returns the totals of an order, which make the amount of the payment. Refuses lines and totals that do not make the amount.
 *
 * A given total counts if no line tells the amount. Otherwise both must agree.
 */
export function totalsOf({ amount, lines, details }: Ordered): Result<OrderTotals, Disagreement> {
  const sums = sumsOf(lines);
  const told = (name: (typeof TOLD)[number]): number => sums[name] || (details[name] ?? 0);
  const totals = {
    ...{ ...sums, taxAmount: told('taxAmount'), shippingAmount: told('shippingAmount') },
    ...{ dutyAmount: told('dutyAmount'), taxIncluded: details.amountIncludesTax ?? false },
  };
  const [wrong, ...more] = [
    ...lines.flatMap((line, index) => wrongIn(line, index, totals.taxIncluded)),
    ...TOLD.flatMap((name) => contradictionOf(name, sums[name], details[name])),
  ];
  if (wrong) return refuse(wrong, ...more);
  const large = LIMITED.find((name) => totals[name] > AMOUNT_MAX);
  if (large) return refuse(tooLarge(large));
  const rest = amount - amountOf(totals);
  if (lines.length > 0) return rest === 0 ? within(totals) : refuse(missing(rest));
  const first = TOLD.find((name) => details[name] !== null) ?? 'taxAmount';
  return rest < 0 ? refuse(tooMuch(first, -rest)) : within({ ...totals, itemAmount: rest });
}

/** Refuses taxes that the prices cannot include. */
function within(totals: OrderTotals): Result<OrderTotals, Disagreement> {
  const { itemAmount, shippingAmount, dutyAmount, taxAmount, taxIncluded } = totals;
  const rest = itemAmount + shippingAmount + dutyAmount - taxAmount;
  if (!taxIncluded || rest >= 0) return ok(totals);
  const message = `Included taxes must be at most the prices, which are ${apart(rest)}.`;
  return refuse({ path: ['taxAmount'], message });
}

/** The totals that lines can raise above every amount. */
const LIMITED = ['itemAmount', 'discountAmount', ...TOLD] as const;

type Sums = Omit<OrderTotals, 'taxIncluded'>;

/** Adds up the lines. A discount lowers the taxes, the shipping costs and the duties by its own. */
function sumsOf(lines: readonly CartItem[]): Sums {
  const sums = { itemAmount: 0, discountAmount: 0, taxAmount: 0, shippingAmount: 0, dutyAmount: 0 };
  for (const line of lines) {
    const part = partOf(line);
    const sign = part === 'discountAmount' ? -1 : 1;
    sums[part] += line.quantity * line.unitAmount;
    if (part === 'itemAmount') sums.discountAmount += line.discountAmount;
    else sums[part] -= line.discountAmount;
    sums.taxAmount += sign * line.taxAmount;
    sums.shippingAmount += sign * (line.shippingAmount ?? 0);
    sums.dutyAmount += sign * (line.dutyAmount ?? 0);
  }
  return sums;
}

const amountOf = (totals: OrderTotals): number => {
  const { itemAmount, discountAmount, taxAmount, shippingAmount, dutyAmount, taxIncluded } = totals;
  return itemAmount - discountAmount + shippingAmount + dutyAmount + (taxIncluded ? 0 : taxAmount);
};

/** Lists what makes a line unusable by itself. Within these bounds all sums are exact. */
function wrongIn(line: CartItem, index: number, taxIncluded: boolean): readonly Disagreement[] {
  const { quantity, unitAmount, discountAmount, taxAmount } = line;
  const price = quantity * unitAmount;
  const left = price - discountAmount;
  const wrong = (name: string, message: string) => [{ path: ['cartItems', index, name], message }];
  if (price > AMOUNT_MAX) return wrong('quantity', `The price of the line must be at most ${AMOUNT_MAX}.`);
  if (left < 0)
    return wrong('discountAmount', `Must be at most the price of the line, which is ${apart(left)}.`);
  return taxIncluded && isGoods(line) && taxAmount > left
    ? wrong('taxAmount', `Must be within the price of the line, which is ${apart(left - taxAmount)}.`)
    : [];
}

function contradictionOf(
  name: (typeof TOLD)[number],
  ofLines: number,
  given: number | null,
): readonly Disagreement[] {
  if (ofLines < 0)
    return [{ path: ['cartItems'], message: `The ${WORDS[name]} of all lines must not be below 0.` }];
  if (ofLines === 0 || given === null || given === ofLines) return [];
  return [{ path: [name], message: `Must be the sum of the lines, which is ${apart(ofLines - given)}.` }];
}

const WORDS = {
  ...{ itemAmount: 'items', discountAmount: 'discounts' },
  ...{ taxAmount: 'taxes', shippingAmount: 'shipping costs', dutyAmount: 'duties' },
} as const;

const tooLarge = (name: keyof typeof WORDS): Disagreement => ({
  path: ['cartItems'],
  message: `The ${WORDS[name]} of all lines must be at most ${AMOUNT_MAX}.`,
});

const missing = (rest: number): Disagreement => ({
  path: ['cartItems'],
  message: `The lines and the totals must make the amount, which is ${apart(rest)}.`,
});

const tooMuch = (name: string, difference: number): Disagreement => ({
  path: [name],
  message: `Taxes, shipping costs and duties must be within the amount, which is ${apart(-difference)}.`,
});

const apart = (difference: number): string =>
  `${Math.abs(difference)} minor units ${difference > 0 ? 'more' : 'less'}`;

import { CardList } from '../../design/record/card.tsx';
import { Facts, type Fact } from '../../design/record/facts.tsx';
import { Amount, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Payment } from './query.ts';

type PartProps = { readonly payment: Payment };

const { order, splits } = texts.payment;

/** The most lines of a cart that the page shows. */
const LINES_MAX = 20;

/** The lines of the cart. Nothing without a cart. */
export function CartLines({ payment: { cartItems, orderTotals, currency } }: PartProps) {
  if (!cartItems || cartItems.length === 0) return null;
  const rest = cartItems.length - LINES_MAX;
  const rows = cartItems.slice(0, LINES_MAX).map((item, index) => ({ ...item, id: String(index) }));
  return (
    <CardList
      title={order.lines}
      rows={rows}
      note={!orderTotals && <p className="card-note">{order.notSent}</p>}
      foot={rest > 0 && <p className="card-note">{order.more(rest)}</p>}
    >
      {({ name, quantity, unitAmount, sku, ...item }) => (
        <>
          <span className="name">{name}</span>
          {sku !== null && <span className="quiet">{sku}</span>}
          {quantity > 1 && (
            <span className="quiet">
              {order.units(quantity, writeMoney({ amount: unitAmount, currency }))}
            </span>
          )}
          <Amount amount={priceOf({ quantity, unitAmount, ...item })} currency={currency} />
        </>
      )}
    </CardList>
  );
}

type Priced = Pick<
  NonNullable<Payment['cartItems']>[number],
  'quantity' | 'unitAmount' | 'discountAmount' | 'productType'
>;

/** Returns the price of a line. A discount lowers the amount. */
const priceOf = ({ quantity, unitAmount, discountAmount, productType }: Priced): number =>
  (quantity * unitAmount - discountAmount) *
  (productType === 'DISCOUNT' || productType === 'STORE_CREDIT' ? -1 : 1);

/** The totals and the numbers of the order. Nothing without any. */
export function OrderFacts({ payment }: PartProps) {
  const { currency, orderTotals: totals } = payment;
  const given = (label: string, amount: number | null): Fact => [
    label,
    amount ? <Amount amount={amount} currency={currency} /> : null,
  ];
  const facts: readonly Fact[] = [
    given(order.items, totals?.itemAmount ?? null),
    given(order.discount, totals?.discountAmount ?? null),
    given(order.shipping, totals?.shippingAmount ?? payment.shippingAmount),
    given(order.duty, totals?.dutyAmount ?? payment.dutyAmount),
    given(payment.amountIncludesTax ? order.taxIncluded : order.tax, totals?.taxAmount ?? payment.taxAmount),
    [order.purchaseOrder, payment.purchaseOrderNumber],
    [order.customer, payment.customerReferenceNumber],
    [order.taxId, payment.merchantTaxId],
    [order.supplier, payment.supplierOrderNumber],
  ];
  return facts.every(([, value]) => value == null) ? null : <Facts title={order.title} facts={facts} />;
}

/** The shares of accounts, with what was captured and refunded of each. Nothing without any. */
export function SplitLines({ payment: { splits: shares, currency } }: PartProps) {
  if (!shares) return null;
  const money = (amount: number) => writeMoney({ amount, currency });
  const rows = shares.map((split, index) => ({ ...split, id: String(index) }));
  return (
    <CardList title={splits.title} rows={rows}>
      {({ kind, account, reference, amount, capturedAmount, refundedAmount }) => (
        <>
          <span className="name">{account ?? splits.platform}</span>
          <span className="quiet">{splits.kinds[kind]}</span>
          {reference !== null && <span className="quiet">{reference}</span>}
          {capturedAmount > 0 && <span className="quiet">{splits.captured(money(capturedAmount))}</span>}
          {refundedAmount > 0 && <span className="quiet">{splits.refunded(money(refundedAmount))}</span>}
          <Amount amount={amount} currency={currency} />
        </>
      )}
    </CardList>
  );
}

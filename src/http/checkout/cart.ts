import { partOf } from '../../connectors/interface/order.ts';
import { html, type Markup } from '../pages/html.ts';
import { amountOf, ITEMS_MAX, ownAddress, say, type View } from './look/view.ts';

type Item = NonNullable<View['link']['cartItems']>[number];

/** The lines of a cart, the sums that no line shows, and the amount. */
export function cart(view: View): Markup {
  const { texts, tag } = view.language;
  const all = view.link.cartItems ?? [];
  const rest = all.length - ITEMS_MAX;
  const costs = [
    sumLine(view, texts.shipping, sumOf(all, 'shippingAmount')),
    sumLine(view, texts.duties, sumOf(all, 'dutyAmount')),
  ];
  return html`<ul class="items">
    ${all.slice(0, ITEMS_MAX).map((item) => itemLine(view, item))}
    ${rest > 0 && html`<li>${say(texts.more, { count: new Intl.NumberFormat(tag).format(rest) })}</li>`}
    ${costs}
    <li class="total">
      <span class="what">${texts.total}</span><span class="price"><bdi>${amountOf(view)}</bdi></span>
    </li>
    ${sumLine(view, texts.taxes, sumOf(all, 'taxAmount'))}
  </ul>`;
}

function itemLine(view: View, item: Item): Markup {
  const { name, quantity, unitAmount, discountAmount, taxAmount, imageUrl } = item;
  const image = ownAddress(imageUrl);
  const price = signOf(item) * (quantity * unitAmount - discountAmount + taxAmount);
  return html`<li>
    ${image !== null && html`<img class="thumb" src="${image}" alt="" loading="lazy" />`}
    <span class="what">
      <bdi>${name}</bdi>
      ${
        quantity > 1 &&
        html`<span class="count">${quantity} × <bdi>${amountOf(view, unitAmount)}</bdi></span>`
      }
    </span>
    <span class="price"><bdi>${amountOf(view, price)}</bdi></span>
  </li>`;
}

/** The line of a sum. Nothing for a sum of nothing. */
const sumLine = (view: View, label: string, amount: number): Markup =>
  html`${
    amount !== 0 &&
    html`<li class="sum">
      <span class="what">${label}</span><span class="price"><bdi>${amountOf(view, amount)}</bdi></span>
    </li>`
  }`;

const sumOf = (items: readonly Item[], name: 'taxAmount' | 'shippingAmount' | 'dutyAmount'): number =>
  items.reduce((sum, item) => sum + signOf(item) * (item[name] ?? 0), 0);

/** A discount lowers the amount. */
const signOf = (item: Item): 1 | -1 => (partOf(item) === 'discountAmount' ? -1 : 1);

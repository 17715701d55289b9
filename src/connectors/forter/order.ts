import { cutText, type CheckedBuyer, type CheckedItem, type CheckRequest } from '../door.ts';
import { amountOf } from './amount.ts';
import { optionsOf, type ForterOptions } from './options.ts';
import { partyOf } from './party.ts';
import { paymentsOf } from './payment.ts';

/** Maps a check to Forter's order. Null values are left out of the request. */
export function orderOf(request: CheckRequest, now: Date): object {
  const { key, money, requestedAt, buyer, shipping } = request;
  const options = optionsOf(request.options);
  return {
    orderId: key,
    orderType: orderTypeOf(request),
    authorizationStep: 'PRE_AUTHORIZATION',
    timeSentToForter: now.getTime(),
    checkoutTime: secondsOf(requestedAt),
    connectionInformation: connectionOf(request),
    totalAmount: amountOf(money),
    totalDiscount: options.total_discount,
    cartItems: options.cart_items ?? goodsIn(request).map((item) => itemOf(item, money.currency)),
    primaryDeliveryDetails: {
      deliveryType: options.delivery_type ?? deliveryTypeOf(request),
      deliveryMethod: options.delivery_method,
    },
    primaryRecipient: shipping && partyOf(shipping),
    accountOwner: buyer && ownerOf(buyer, options),
    payment: paymentsOf(request),
  };
}

/** Forter counts the seconds of past moments, and the milliseconds of the moment of sending. */
const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1_000);

function orderTypeOf({ source, client }: CheckRequest): string {
  if (source === 'moto') return 'PHONE';
  return client === 'ios' || client === 'android' ? client.toUpperCase() : 'WEB';
}

const USER_AGENT_MAX = 4096;
const DEVICE_MAX = 128;

/** The fingerprint is the token of Forter's script in a page, or the id of its software in an app. */
function connectionOf({ ipAddress, browser, client, deviceFingerprint }: CheckRequest) {
  const isApp = client === 'ios' || client === 'android';
  const device =
    deviceFingerprint !== null && deviceFingerprint.length <= DEVICE_MAX ? deviceFingerprint : null;
  return {
    customerIP: ipAddress,
    userAgent: cutText(browser?.userAgent ?? null, USER_AGENT_MAX),
    ...(isApp ? { forterMobileUID: device } : { forterTokenCookie: device }),
  };
}

/** The lines that are no goods, such as a fee for shipping. */
const NO_GOODS: ReadonlySet<string | null> = new Set(['discount', 'shipping_fee', 'sales_tax', 'surcharge']);

const goodsIn = ({ cart }: CheckRequest): readonly CheckedItem[] =>
  cart.filter(({ productType }) => !NO_GOODS.has(productType));

const itemOf = (item: CheckedItem, currency: string) => ({
  basicItemData: {
    name: item.name,
    quantity: item.quantity,
    price: amountOf({ amount: item.unitAmount, currency }),
    productId: item.sku ?? item.externalIdentifier,
    category: item.categories?.join(', ') || null,
    type: item.productType === null ? null : typeOf(item),
  },
});

const typeOf = ({ productType }: CheckedItem): 'TANGIBLE' | 'NON_TANGIBLE' =>
  productType === 'physical' ? 'TANGIBLE' : 'NON_TANGIBLE';

/** Returns null if a line does not say what it is. */
function deliveryTypeOf(request: CheckRequest): string | null {
  const goods = goodsIn(request);
  if (goods.length === 0 || goods.some(({ productType }) => productType === null)) return null;
  const types = new Set(goods.map(typeOf));
  if (types.size === 2) return 'HYBRID';
  return types.has('TANGIBLE') ? 'PHYSICAL' : 'DIGITAL';
}

/** A guest has no account, and Forter wants the guest's name all the same. */
function ownerOf(buyer: CheckedBuyer, { is_guest_buyer: isGuest }: ForterOptions) {
  const { externalIdentifier, billingDetails, account } = buyer;
  return {
    firstName: billingDetails?.firstName,
    lastName: billingDetails?.lastName,
    email: billingDetails?.emailAddress,
    ...(isGuest !== true && {
      accountId: externalIdentifier ?? account?.id,
      created: account && secondsOf(account.createdAt),
    }),
  };
}

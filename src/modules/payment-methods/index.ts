export type { Buyer, ShippingDetails } from './buyer.ts';
export { createBuyer } from './buyers/create.ts';
export { deleteBuyer } from './buyers/delete.ts';
export { findBuyers } from './buyers/find.ts';
export { listBuyers, type BuyerFilter } from './buyers/list.ts';
export {
  createShippingDetails,
  deleteShippingDetails,
  findShippingDetailsOf,
  updateShippingDetails,
} from './buyers/shipping-details.ts';
export { updateBuyer } from './buyers/update.ts';
export type { CreateBuyerInput, ShippingDetailsInput, UpdateBuyerInput } from './input/buyer.ts';
export { buyer, shippingDetails } from './input/people.ts';
export type { BuyerDetails, ShippingAddress } from './people.ts';

import type { Definition } from '../interface/definition.ts';
import type { PayingBuyer } from '../interface/requests.ts';
import { fitBuyer } from './fit-buyer.ts';
import { missingFor } from './needs.ts';

/** True if a buyer has all data that a definition needs, in the form in which the provider gets them. */
export const hasNeeds = (
  { needs = [], buyer: profile }: Pick<Definition, 'needs' | 'buyer'>,
  buyer: PayingBuyer,
): boolean => {
  const fillers = profile?.address.fillers ?? {};
  return missingFor(needs, profile ? fitBuyer(buyer, profile) : buyer, { provider: '', fillers }) === null;
};

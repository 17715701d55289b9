import type { Definition } from '../interface/definition.ts';
import { fitBuyer } from './fit-buyer.ts';
import { missingNeeds, type NeededData } from './needs.ts';

/** True if a payment has all data that a definition needs, in the form in which the provider gets them. */
export function hasNeeds(
  { needs = [], buyer: profile }: Pick<Definition, 'needs' | 'buyer'>,
  { buyer, order }: NeededData,
): boolean {
  const fitted = profile ? fitBuyer(buyer, profile) : buyer;
  return missingNeeds(needs, { buyer: fitted, order }, profile?.address.fillers ?? {}).length === 0;
}

import { z } from 'zod';
import { optional } from '../../../platform/input/values.ts';
import { cardFacts, isNoCardOf } from '../../payment-methods/index.ts';
import { CARD_SCHEMES, type CardScheme } from '../../payment-services/index.ts';

/** The network that the buyer chose for a co-badged card. */
export const cardNetwork = optional(z.enum(CARD_SCHEMES, 'Must be a card scheme.'));

type Network = CardScheme | null;

type Given = {
  readonly card: { readonly network: Network } | null;
  readonly stored: { readonly network: Network } | null;
};

/** Returns the network that the buyer chose for the card of a payment. Null without a choice. */
export const networkOf = ({ paymentMethod: { card, stored } }: { readonly paymentMethod: Given }): Network =>
  (card ?? stored)?.network ?? null;

type Issue = { readonly path: readonly string[]; readonly message: string };

type NewCard = { readonly number: string; readonly network: Network };

/** Refuses a network to which no card with the given number can belong. */
export const refuseNetwork = ({
  paymentMethod,
}: {
  readonly paymentMethod?: { readonly card: NewCard | null } | null | undefined;
}): readonly Issue[] => {
  const card = paymentMethod?.card;
  return card?.network && isNoCardOf(card.network, cardFacts(card.number).scheme)
    ? [{ path: ['paymentMethod', 'card', 'network'], message: NO_CARD_OF_NETWORK }]
    : [];
};

export const NO_CARD_OF_NETWORK = 'Must be a network of the card. The number belongs to another scheme.';

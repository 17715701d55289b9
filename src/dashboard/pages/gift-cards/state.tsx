import { Pill } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';
import type { GiftCardRow } from './query.ts';

/** Writes the number of a gift card with the known digits alone. */
export const numberOf = ({ lastFour }: Pick<GiftCardRow, 'lastFour'>): string => `•••• ${lastFour}`;

/** Tells whether a gift card can pay. */
export function GiftCardState({ balance, expirationDate }: Pick<GiftCardRow, 'balance' | 'expirationDate'>) {
  const { state } = texts.giftCards;
  if (expirationDate !== null && Date.parse(expirationDate) <= Date.now())
    return <Pill tone="bad">{state.expired}</Pill>;
  return balance > 0 ? <Pill tone="good">{state.ready}</Pill> : <Pill tone="calm">{state.empty}</Pill>;
}

/** A stored gift card, as the merchant sees the card. */
export type GiftCard = Usage & {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly buyerId: string | null;
  /** The payment service that holds the money. */
  readonly paymentServiceId: string;
  /** The first six digits of the number, and the next three digits. */
  readonly bin: string;
  readonly subBin: string;
  readonly lastFour: string;
  readonly expirationDate: Date | null;
  readonly currency: string;
  /** Minor units, as known at `balanceUpdatedAt`. */
  readonly balance: number;
  readonly balanceUpdatedAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Number and time of the payments with a stored instrument. `cit` counts payments that the buyer initiated. */
export type Usage = {
  readonly usageCount: number;
  readonly lastUsedAt: Date | null;
  readonly citUsageCount: number;
  readonly citLastUsedAt: Date | null;
};

/** A stored gift card with sealed number and PIN. */
export type SealedGiftCard = GiftCard & {
  readonly sealedNumber: string;
  readonly sealedPin: string;
  /** Keyed digest of the number. */
  readonly fingerprint: string;
};

/** Returns the parts of a gift card number that may be shown. A number has 16 to 19 digits. */
export const partsOf = (number: string): Pick<GiftCard, 'bin' | 'subBin' | 'lastFour'> => ({
  bin: number.slice(0, 6),
  subBin: number.slice(6, 9),
  lastFour: number.slice(-4),
});

/** True if a card has expired or has no known money left. */
export const isSpent = ({ balance, expirationDate }: GiftCard, now: Date): boolean =>
  balance === 0 || (expirationDate !== null && expirationDate <= now);

export type UsageField = 'last_used_at' | 'usage_count' | 'cit_last_used_at' | 'cit_usage_count';

/**
 * Sorts cards by last use or by number of uses, highest first. Unused cards come last.
 *
 * Cards with equal values are sorted by storing time, newest first. Without a field, all cards are sorted by
 * storing time.
 */
export function sortByUsage<Card extends Usage & { readonly id: string }>(
  cards: readonly Card[],
  field: UsageField | null,
): readonly Card[] {
  const use = field === null ? (): number => 0 : uses[field];
  return cards.toSorted((a, b) => use(b) - use(a) || (a.id < b.id ? 1 : -1));
}

const NEVER = -1;

const uses: Readonly<Record<UsageField, (usage: Usage) => number>> = {
  last_used_at: ({ lastUsedAt }) => lastUsedAt?.getTime() ?? NEVER,
  usage_count: ({ usageCount }) => usageCount,
  cit_last_used_at: ({ citLastUsedAt }) => citLastUsedAt?.getTime() ?? NEVER,
  cit_usage_count: ({ citUsageCount }) => citUsageCount,
};

type Moment =
  | 'expirationDate'
  | 'balanceUpdatedAt'
  | 'lastUsedAt'
  | 'citLastUsedAt'
  | 'createdAt'
  | 'updatedAt';

/** A gift card in the form that an idempotency key stores: times as ISO text. */
export type GiftCardJson = Omit<GiftCard, Moment> & {
  readonly [Name in Moment]: string | (null extends GiftCard[Name] ? null : never);
};

export const giftCardToJson = (card: GiftCard): GiftCardJson => ({
  ...card,
  expirationDate: card.expirationDate?.toISOString() ?? null,
  balanceUpdatedAt: card.balanceUpdatedAt.toISOString(),
  lastUsedAt: card.lastUsedAt?.toISOString() ?? null,
  citLastUsedAt: card.citLastUsedAt?.toISOString() ?? null,
  createdAt: card.createdAt.toISOString(),
  updatedAt: card.updatedAt.toISOString(),
});

export const giftCardFromJson = (json: GiftCardJson): GiftCard => ({
  ...json,
  expirationDate: dateOf(json.expirationDate),
  balanceUpdatedAt: new Date(json.balanceUpdatedAt),
  lastUsedAt: dateOf(json.lastUsedAt),
  citLastUsedAt: dateOf(json.citLastUsedAt),
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** A gift card that is kept for later payments, as the merchant sees it. */
export type GiftCard = Usage & {
  readonly id: string;
  readonly merchantAccountId: string;
  readonly buyerId: string | null;
  /** The one that holds its money. */
  readonly paymentServiceId: string;
  /** The first six digits of the number, and the three after them. */
  readonly bin: string;
  readonly subBin: string;
  readonly lastFour: string;
  readonly expirationDate: Date | null;
  readonly currency: string;
  /** Minor units, as it was known at `balanceUpdatedAt`. */
  readonly balance: number;
  readonly balanceUpdatedAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** How often and when it was paid with; `cit`: by a payment that the buyer initiated. */
export type Usage = {
  readonly usageCount: number;
  readonly lastUsedAt: Date | null;
  readonly citUsageCount: number;
  readonly citLastUsedAt: Date | null;
};

/** A gift card with what could pay, sealed. */
export type SealedGiftCard = GiftCard & {
  readonly sealedNumber: string;
  readonly sealedPin: string;
  /** Keyed digest of the number. */
  readonly fingerprint: string;
};

/** What may be shown of the number of a gift card, of 16 to 19 digits. */
export const partsOf = (number: string): Pick<GiftCard, 'bin' | 'subBin' | 'lastFour'> => ({
  bin: number.slice(0, 6),
  subBin: number.slice(6, 9),
  lastFour: number.slice(-4),
});

/** Whether a card can pay for nothing any more, as far as is known: expired, or without money. */
export const isSpent = ({ balance, expirationDate }: GiftCard, now: Date): boolean =>
  balance === 0 || (expirationDate !== null && expirationDate <= now);

export type UsageField = 'last_used_at' | 'usage_count' | 'cit_last_used_at' | 'cit_usage_count';

/**
 * Cards with the most recently or most often used first; those that were never used come last. Alike ones, and all when no
 * field is given, are in the order in which they were stored, newest first.
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

/** A gift card as the record of an idempotency key holds it: moments as ISO text. */
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

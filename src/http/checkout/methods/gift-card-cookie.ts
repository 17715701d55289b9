import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import {
  shareOut,
  type PaymentLink,
  type SharedOut,
  type ShownGiftCard,
} from '../../../modules/payment-links/index.ts';
import type { SealContext } from '../../../platform/vault/vault.ts';
import { setCookie, pageCookieOf } from '../csrf-token.ts';

// The gift cards that a buyer has entered, until the link is paid.
//
// Only the buyer's own browser stores the cards, for one link and for half an hour. The vault seals them, so
// that no page, address, log, cookie or table holds a number or PIN in clear.

/** The gift cards that pay a link, with the amount that each card pays. */
export type GiftCards = SharedOut & {
  readonly cards: readonly ShownGiftCard[];
  /** The sealed text of the cards. Empty without cards. */
  readonly sealedCards: string;
};

type Link = Pick<PaymentLink, 'merchantAccountId' | 'id' | 'amount'>;

/** The time for which a card's balance is likely unchanged. */
export const CARDS_COOKIE_MS = 30 * 60_000;

/**
 * Reads the gift cards of the requesting browser. Returns none in these cases:
 *
 * - The cookie is missing, too old, or of another browser.
 * - The key that sealed the cookie is deleted.
 */
export async function readGiftCards(app: App, request: FastifyRequest, link: Link): Promise<GiftCards> {
  const none = { cards: [], sealedCards: '', ...shareOut(link.amount, []) };
  const sealedCards = new RegExp(`(?:^|;\\s*)${nameOf(link.id)}=([\\w.-]{1,4000})(?:;|$)`).exec(
    request.headers.cookie ?? '',
  )?.[1];
  const cookie = pageCookieOf(request, link.id);
  if (sealedCards === undefined || cookie === null) return none;
  const content = await open(app, link, sealedCards);
  if (content?.secret !== cookie.secret || content.endsAt <= app.clock.now().getTime()) return none;
  return { cards: content.cards, sealedCards, ...shareOut(link.amount, content.cards) };
}

/** Writes the gift cards of a browser, or removes the cookie without cards. `secret`: the browser's own. */
export async function writeGiftCards(
  app: App,
  reply: FastifyReply,
  link: Link,
  { secret, cards }: Pick<Content, 'secret' | 'cards'>,
): Promise<GiftCards> {
  const shared = shareOut(link.amount, cards);
  if (cards.length === 0) {
    setCookie(app, reply, `${nameOf(link.id)}=`, '; Max-Age=0');
    return { cards, sealedCards: '', ...shared };
  }
  const content: Content = { secret, cards, endsAt: app.clock.now().getTime() + CARDS_COOKIE_MS };
  const sealedCards = await app.vault.seal(contextOf(link), JSON.stringify(content));
  setCookie(app, reply, `${nameOf(link.id)}=${sealedCards}`, `; Max-Age=${CARDS_COOKIE_MS / 1000}`);
  return { cards, sealedCards, ...shared };
}

type Content = {
  /** The browser's secret from `PageCookie`. */
  readonly secret: string;
  readonly cards: readonly ShownGiftCard[];
  /** Milliseconds since 1970. */
  readonly endsAt: number;
};

async function open(app: App, link: Link, sealedCards: string): Promise<Content | null> {
  try {
    // This process sealed the text that opens here.
    return JSON.parse(await app.vault.open(contextOf(link), sealedCards)) as Content;
  } catch {
    // The text is forged, of another link, or sealed before a key rotation. The buyer enters the cards again.
    return null;
  }
}

const contextOf = ({ merchantAccountId, id }: Link): SealContext => ({
  merchantAccountId,
  table: 'payment_link',
  column: 'slip of gift cards',
  rowId: id,
});

const nameOf = (linkId: string): string => `gift_${linkId}`;

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import {
  shareOut,
  type PaymentLink,
  type SharedOut,
  type ShownGiftCard,
} from '../../modules/payment-links/index.ts';
import type { SealContext } from '../../platform/vault/vault.ts';
import { setCookie, tieOf } from './csrf-token.ts';

// The gift cards that a buyer has entered, until the link is paid. Only the buyer's own browser stores them, for one
// link and for half an hour. The vault seals them, so that no page, address, log, cookie or table holds a number or PIN
// in clear.

/** The gift cards that pay a link as its page shows them. */
export type GiftCards = SharedOut & {
  readonly cards: readonly ShownGiftCard[];
  /** The sealed text of the cards. Empty without cards. */
  readonly slip: string;
};

type Link = Pick<PaymentLink, 'merchantAccountId' | 'id' | 'amount'>;

/** The time for which a card's balance is likely unchanged. */
export const SLIP_MS = 30 * 60_000;

/**
 * Reads the gift cards of the requesting browser. Returns none when they are missing, of another browser, too old, or
 * sealed by a deleted key.
 */
export async function readGiftCards(app: App, request: FastifyRequest, link: Link): Promise<GiftCards> {
  const none = { cards: [], slip: '', ...shareOut(link.amount, []) };
  const slip = new RegExp(`(?:^|;\\s*)${nameOf(link.id)}=([\\w.-]{1,4000})(?:;|$)`).exec(
    request.headers.cookie ?? '',
  )?.[1];
  const tied = tieOf(request, link.id);
  if (slip === undefined || tied === null) return none;
  const content = await open(app, link, slip);
  if (content?.secret !== tied.secret || content.endsAt <= app.clock.now().getTime()) return none;
  return { cards: content.cards, slip, ...shareOut(link.amount, content.cards) };
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
    return { cards, slip: '', ...shared };
  }
  const content: Content = { secret, cards, endsAt: app.clock.now().getTime() + SLIP_MS };
  const slip = await app.vault.seal(contextOf(link), JSON.stringify(content));
  setCookie(app, reply, `${nameOf(link.id)}=${slip}`, `; Max-Age=${SLIP_MS / 1000}`);
  return { cards, slip, ...shared };
}

type Content = {
  /** See BrowserTie. */
  readonly secret: string;
  readonly cards: readonly ShownGiftCard[];
  /** Milliseconds since 1970. */
  readonly endsAt: number;
};

async function open(app: App, link: Link, slip: string): Promise<Content | null> {
  try {
    // This process sealed the text that opens here.
    return JSON.parse(await app.vault.open(contextOf(link), slip)) as Content;
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

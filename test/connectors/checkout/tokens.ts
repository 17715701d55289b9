import { keepSource } from './payments.ts';
import { MINUTE_MS, type World } from './world.ts';

/** The card behind the tokens. */
const CARD = { number: '4242424242424242', month: 12, year: 2040, name: null };

/** A token of Checkout.com lasts 15 minutes. */
const TOKEN_MS = 15 * MINUTE_MS;

/** Makes a token, which pays once. The same data always stands for the same card. */
export function makeToken(world: World, data: string): { readonly token: string; readonly expiresAt: Date } {
  const source = world.sources.get(world.walletData.get(data) ?? '') ?? keepSource(world, CARD);
  world.walletData.set(data, source.id);
  const token = world.id('tok');
  const untilMs = world.now().getTime() + TOKEN_MS;
  world.tokens.set(token, { source, untilMs, isUsed: false });
  return { token, expiresAt: new Date(untilMs) };
}

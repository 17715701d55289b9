import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { holdsCardNumber } from '../../kernel/account-numbers/card-number.ts';
import type { Submission } from '../../modules/payment-links/index.ts';

/** The facts about a buyer's browser that a provider may ask for, as fields of createTransaction's input. */
export type BuyerFacts = Pick<Submission, 'ipAddress' | 'browserInfo'>;

/**
 * Reads the facts from the buyer's request. The script of the page fills `fromScript` with JSON. Values that fit no
 * limit are left out: no browser's oddity prevents a payment.
 */
export const factsOf = (
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
  fromScript: string,
): BuyerFacts => ({
  ipAddress: isIP(ip) > 0 && !ip.includes('%') ? ip : null,
  browserInfo: browserInfoOf(headers, fromScript),
});

function browserInfoOf(
  headers: FastifyRequest['headers'],
  fromScript: string,
): NonNullable<BuyerFacts['browserInfo']> | null {
  const userAgent = fit(headers['user-agent'], 2048);
  if (userAgent === null) return null;
  const { language: preferred } =
    /^\s*(?<language>[\w-]{1,35})/.exec(headers['accept-language'] ?? '')?.groups ?? {};
  const seen = readScript(fromScript);
  return {
    acceptHeader: fit(headers.accept, 2048),
    userAgent,
    userDevice: /mobi|android|iphone|ipad/i.test(userAgent) ? 'mobile' : 'desktop',
    language: fit(seen?.language, 35) ?? preferred ?? 'en',
    javascriptEnabled: seen !== null,
    javaEnabled: seen?.javaEnabled ?? null,
    colorDepth: seen?.colorDepth ?? null,
    screenHeight: seen?.screenHeight ?? null,
    screenWidth: seen?.screenWidth ?? null,
    timeZoneOffset: seen?.timeZoneOffset ?? null,
  };
}

/** Returns a header's value, or null for a value that may not be stored. */
const fit = (value: unknown, most: number): string | null =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= most &&
  PRINTABLE.test(value) &&
  !holdsCardNumber(value)
    ? value
    : null;

const PRINTABLE = /^[\x20-\x7e]+$/;

/** The longest JSON of the script. */
const SCRIPT_LENGTH_MAX = 300;

/** Returns the values of the page's script. Null when no script ran, or a value is out of bounds. */
function readScript(text: string) {
  const given = text.length > SCRIPT_LENGTH_MAX ? null : parse(text);
  if (typeof given !== 'object' || given === null) return null;
  const { language, java, depth, height, width, offset } = given as Readonly<Record<string, unknown>>;
  const isSound =
    isWithin(depth, 1, 64) &&
    isWithin(height, 0, 999_999) &&
    isWithin(width, 0, 999_999) &&
    isWithin(offset, -840, 840);
  if (!isSound) return null;
  return {
    ...{ language, javaEnabled: java === true },
    ...{ colorDepth: depth, screenHeight: height, screenWidth: width, timeZoneOffset: offset },
  };
}

const isWithin = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

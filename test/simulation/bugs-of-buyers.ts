import type { GiftCards } from '../../src/connectors/interface/gift-cards.ts';
import type { ResumeRequest } from '../../src/connectors/interface/requests.ts';
import type { Bug } from './bug.ts';
import { afterRows, atConnectors, FAILED, inText, inValues, NO_WORDS, swap, type Row } from './spoil.ts';

/** Mistakes about buyers' decisions and authentications. */
export const aboutBuyers: readonly Bug[] = [
  {
    name: 'a challenge that was left open counts as passed',
    shows: 'authentication',
    spoil: () => inText(TAKE_UP, swap('a.state AS approval', `${reportedBy('expired')} AS approval`)),
  },
  {
    name: 'a buyer’s refusal counts as an approval',
    from: 210,
    shows: 'authentication',
    spoil: () => inText(TAKE_UP, swap('a.state AS approval', `${reportedBy('refused')} AS approval`)),
  },
  {
    name: 'a decision after the expiry counts',
    shows: 'authentication',
    spoil: () =>
      inText(/^approval_decide$/, swap(/AND expires_at > (\$\d+)/, 'AND $1::timestamptz IS NOT NULL')),
  },
  {
    name: 'the last decision of a buyer counts',
    shows: 'authentication',
    spoil: () => inText(/^approval_decide$/, swap(`AND state = 'pending' AND kind`, 'AND kind')),
  },
  {
    name: 'the provider is called during an open challenge',
    shows: 'authentication',
    spoil: () =>
      afterRows(
        AUTHENTICATED,
        forget(({ status }) => status === null),
      ),
  },
  {
    name: 'the provider is called for a buyer without authentication',
    from: 251,
    shows: 'authentication',
    spoil: () =>
      afterRows(
        AUTHENTICATED,
        forget(({ result }) => result === 'n' || result === 'r'),
      ),
  },
  {
    name: 'a passed challenge publishes no event',
    from: 249,
    shows: 'events',
    spoil: () =>
      inText(/^conclude_challenge$/, swap(`WHERE c.three_d_secure ->> 'status' = 'complete'`, 'WHERE false')),
  },
];

/** Mistakes about buyers who come back from the provider's page. */
export const aboutReturns: readonly Bug[] = [
  {
    name: 'a return counts as an approval, and the provider is not asked',
    shows: 'money',
    spoil: () =>
      atConnectors({
        resume:
          () =>
          async (_context, { key, reference, money, returned }) =>
            returned['redirect_result'] === 'refused'
              ? FAILED
              : { kind: 'succeeded', reference: reference || key, money, ...NO_WORDS },
      }),
  },
  {
    name: 'each request after a return has a fresh key',
    shows: 'money',
    spoil: () => {
      let requested = 0;
      return atConnectors({
        resume: (resume) => (context, request) =>
          resume(context, { ...request, key: `${request.key} ${(requested += 1)}` }),
      });
    },
  },
  {
    name: 'a payment goes on twice after a return',
    shows: 'money',
    from: 245,
    spoil: () =>
      atConnectors({
        resume: (resume) => async (context, request) => {
          if (!isSession(request)) await resume(context, { ...request, key: `${request.key} again` });
          return resume(context, request);
        },
      }),
  },
  {
    name: 'a session of a client is completed twice',
    from: 26,
    shows: 'money',
    spoil: () =>
      atConnectors({
        resume: (resume) => async (context, request) => {
          if (isSession(request)) await resume(context, { ...request, key: `${request.key} again` });
          return resume(context, request);
        },
      }),
  },
  {
    // The database refuses to keep them, so that the authorisation never settles.
    name: 'the parameters of a return are kept',
    shows: 'surprise',
    from: 245,
    spoil: () =>
      inText(/^settle_authorize_/, swap('sealed_returned = NULL', 'sealed_returned = o.sealed_returned')),
  },
];

/** A session of a client returns no parameters. */
const isSession = ({ returned }: ResumeRequest): boolean => Object.keys(returned).length === 0;

/** Mistakes about gift cards. */
export const aboutGiftCards: readonly Bug[] = [
  {
    name: 'redemptions are reversed twice',
    from: 30,
    shows: 'gift cards',
    spoil: () =>
      atConnectors({
        giftCards: (given) => ({
          ...given,
          unredeem: async (context, request) => {
            await given.unredeem(context, { ...request, key: `${request.key} again` });
            return await given.unredeem(context, request);
          },
        }),
      }),
  },
  {
    name: 'redemptions stay when the provider declines',
    from: 67,
    shows: 'gift cards',
    spoil: () => inValues(/^settle_authorize_(declined|failed)$/, () => ({ givesUpRedemptions: false })),
  },
  {
    name: 'redemptions stay when the payment is voided',
    from: 36,
    shows: 'gift cards',
    spoil: () => inValues(/^settle_void_succeeded$/, () => ({ givesUpRedemptions: false })),
  },
  {
    name: 'the provider is called before the gift cards',
    shows: 'gift cards',
    spoil: () => afterRows(/^claim_authorize_gift_cards/, (rows) => rows.map(letGo)),
  },
  {
    name: 'a redemption that timed out counts as declined',
    from: 63,
    shows: 'gift cards',
    spoil: () => atConnectors({ giftCards: unknownRedeemed }),
  },
  {
    name: 'a reversal that timed out counts as done',
    from: 86,
    shows: 'gift cards',
    spoil: () => atConnectors({ giftCards: believeReversals }),
  },
];

const TAKE_UP = /^claim_(due|pending)_operations$/;

const reportedBy = (state: string): string => `CASE a.state WHEN '${state}' THEN 'approved' ELSE a.state END`;

const AUTHENTICATED = /^claim_authorize_\w*authenticated/;

type ThreeDSColumns = { readonly status: string | null; readonly result: string | null };

/** Forgets the buyer's decision, so the provider is called too early. */
const forget =
  (isForgotten: (columns: ThreeDSColumns) => boolean) =>
  (rows: readonly Row[]): readonly Row[] =>
    rows.map((row) => {
      const transaction = row['transaction'] as Row;
      const isMeant = isForgotten(transaction['three_d_secure'] as ThreeDSColumns);
      return isMeant ? { ...letGo(row), transaction: { ...transaction, three_d_secure: null } } : row;
    });

/** Treats an operation on hold as ready to send. */
const letGo = (row: Row): Row => ({
  ...row,
  operation: { ...(row['operation'] as Row), unsent: false, lease_until: '2100-01-01T00:00:00Z' },
});

const unknownRedeemed = (given: GiftCards): GiftCards => ({
  ...given,
  redeem: async (context, request) => {
    const outcome = await given.redeem(context, request);
    return outcome.kind === 'unknown' ? FAILED : outcome;
  },
});

const believeReversals = (given: GiftCards): GiftCards => ({
  ...given,
  unredeem: async (context, request) => {
    const outcome = await given.unredeem(context, request);
    return outcome.kind === 'unknown'
      ? { kind: 'succeeded', reference: request.key, money: request.money, ...NO_WORDS }
      : outcome;
  },
});

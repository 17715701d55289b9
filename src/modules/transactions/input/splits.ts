import { z } from 'zod';
import type { App } from '../../../app.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { text } from '../../../platform/input/text.ts';
import { amount, optional } from '../../../platform/input/values.ts';
import { newShares, SPLIT_KINDS, type Split, type SplitShare } from '../model/splits.ts';

const SPLITS_MAX = 20;

const account = optional(text(1, 200));

const split = z.object({
  kind: z.enum(SPLIT_KINDS),
  account,
  amount: amount(1),
  reference: optional(text(1, 80)),
});

const share = z.object({ kind: z.enum(SPLIT_KINDS), account, amount: amount(1) });

/** The shares of a payment. `refuseSplits` checks them against each other. */
export const splits = z
  .array(split)
  .min(1, 'Give at least one, or leave it out.')
  .max(SPLITS_MAX, `Give at most ${SPLITS_MAX}.`);

/** The shares of a capture or a refund, by the accounts of the payment's shares. */
export const givenShares = z
  .array(share)
  .min(1, 'Give at least one, or leave it out.')
  .max(SPLITS_MAX, `Give at most ${SPLITS_MAX}.`)
  .superRefine((given, context) => {
    for (const { path, message } of repeatedIn(given)) context.addIssue({ code: 'custom', path, message });
  });

/** The share of one account in a capture or a refund. The account is one of the payment. */
export type GivenShare = z.output<typeof share>;

type Account = Pick<Split, 'kind' | 'account'>;

/** True if two shares are of one account. */
export const isSameAccount = (one: Account, other: Account): boolean =>
  one.kind === other.kind && one.account === other.account;

type Issue = { readonly path: (string | number)[]; readonly message: string };

type Given = {
  readonly amount: number;
  readonly splits: readonly Split[] | null;
  readonly giftCards?: readonly unknown[] | null;
};

/** Refuses shares that do not make the amount, repeated accounts and references, and gift cards beside shares. */
export function refuseSplits({ amount: whole, splits: given, giftCards }: Given): readonly Issue[] {
  // Such splits have errors of their own, which are reported instead.
  if (!given || given.length === 0 || given.some((each) => each.amount < 1)) return [];
  const difference = whole - given.reduce((sum, each) => sum + each.amount, 0);
  return [
    ...repeatedIn(given).map(({ path, message }) => ({ path: ['splits', ...path], message })),
    ...given.flatMap(wrongAccount),
    ...given.flatMap(repeatedReference),
    ...(given.some(({ kind }) => kind === 'recipient') ? [] : [{ path: ['splits'], message: NO_RECIPIENT }]),
    ...(difference === 0 ? [] : [{ path: ['splits'], message: differenceMessage(difference) }]),
    ...(giftCards?.length ? [{ path: ['splits'], message: WITH_GIFT_CARDS }] : []),
  ];
}

const NO_RECIPIENT = 'Give at least one share of the kind RECIPIENT.';
const WITH_GIFT_CARDS = 'Leave the splits out, or the gift cards: a gift card pays into one account.';

const wrongAccount = ({ kind, account: given }: Account, index: number): readonly Issue[] =>
  kind === 'recipient' && given === null
    ? [{ path: ['splits', index, 'account'], message: "Must be given: the provider's id of the account." }]
    : [];

/** A provider tells the shares of a payment apart by their references. */
const repeatedReference = ({ reference }: Split, index: number, given: readonly Split[]): readonly Issue[] =>
  reference !== null && given.findIndex((other) => other.reference === reference) < index
    ? [
        {
          path: ['splits', index, 'reference'],
          message: 'Must differ from the references of the other splits.',
        },
      ]
    : [];

/** Lists the shares whose account has a share before. */
const repeatedIn = (given: readonly Account[]): readonly Issue[] =>
  given.flatMap((each, index) =>
    given.findIndex((other) => isSameAccount(each, other)) < index
      ? [{ path: [index, 'account'], message: 'Must have one share alone of each kind.' }]
      : [],
  );

/** Says how far shares are from the amount that they must make. `difference` is what is missing, in minor units. */
export const differenceMessage = (difference: number): string =>
  `The splits must make the amount, which is ${Math.abs(difference)} minor units ${difference > 0 ? 'more' : 'less'}.`;

/** Returns the shares as a payment keeps them. */
export const toShares = (given: readonly Split[] | null): readonly SplitShare[] | null =>
  given && newShares(given);

/**
 * Refuses shares as long as a process of a version without shares may work. Such a process would send a payment without its shares.
 * Null if the installation takes shares.
 */
export const refuseSplitsOff = ({ config }: Pick<App, 'config'>): InvalidInput | null =>
  (config.PAYGRAPH_SPLITS ?? !config.production) ? null : invalidInput(['input', 'splits'], SPLITS_OFF);

const SPLITS_OFF =
  'Must be left out: this installation takes no splits yet. Its operator sets PAYGRAPH_SPLITS=true after the upgrade.';

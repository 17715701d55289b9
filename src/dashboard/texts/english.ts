import { antiFraud } from './english/anti-fraud.ts';
import { app } from './english/app.ts';
import { audit } from './english/audit.ts';
import { buyers } from './english/buyers.ts';
import { declines } from './english/declines.ts';
import { differences } from './english/differences.ts';
import { disputes } from './english/disputes.ts';
import { events } from './english/events.ts';
import { giftCards } from './english/gift-cards.ts';
import { home } from './english/home.ts';
import { keys } from './english/keys.ts';
import { links } from './english/links.ts';
import { ownAccount } from './english/own-account.ts';
import { payment } from './english/payment.ts';
import { payments } from './english/payments.ts';
import { refundRequests } from './english/refund-requests.ts';
import { routing } from './english/routing.ts';
import { services } from './english/services.ts';
import { settlements } from './english/settlements.ts';
import { signIn } from './english/sign-in.ts';
import { threeDS } from './english/three-ds.ts';
import { team } from './english/team.ts';
import { unresolved } from './english/unresolved.ts';
import { webhooks } from './english/webhooks.ts';

/** The texts of the dashboard in English. */
export const english = {
  ...app,
  ...{
    antiFraud,
    audit,
    buyers,
    declines,
    differences,
    disputes,
    events,
    giftCards,
    home,
    keys,
    links,
    ownAccount,
  },
  ...{ payment, payments, refundRequests, routing, services, settlements, signIn },
  ...{ team, threeDS, unresolved, webhooks },
} as const;

/** The texts of a language: the keys of English, with the same values in each sentence. */
export type Texts = Widened<typeof english>;

/** Replaces each text by any text, so that another language can have it. */
type Widened<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Widened<T[K]>;
};

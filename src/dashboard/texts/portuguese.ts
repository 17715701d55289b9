import type { Texts } from './english.ts';
import { antiFraud } from './portuguese/anti-fraud.ts';
import { app } from './portuguese/app.ts';
import { audit } from './portuguese/audit.ts';
import { buyers } from './portuguese/buyers.ts';
import { declines } from './portuguese/declines.ts';
import { differences } from './portuguese/differences.ts';
import { disputes } from './portuguese/disputes.ts';
import { events } from './portuguese/events.ts';
import { giftCards } from './portuguese/gift-cards.ts';
import { home } from './portuguese/home.ts';
import { keys } from './portuguese/keys.ts';
import { links } from './portuguese/links.ts';
import { ownAccount } from './portuguese/own-account.ts';
import { payment } from './portuguese/payment.ts';
import { payments } from './portuguese/payments.ts';
import { refundRequests } from './portuguese/refund-requests.ts';
import { routing } from './portuguese/routing.ts';
import { services } from './portuguese/services.ts';
import { settlements } from './portuguese/settlements.ts';
import { signIn } from './portuguese/sign-in.ts';
import { threeDS } from './portuguese/three-ds.ts';
import { team } from './portuguese/team.ts';
import { unresolved } from './portuguese/unresolved.ts';
import { webhooks } from './portuguese/webhooks.ts';

/** The texts of the dashboard in Portuguese. */
export const portuguese: Texts = {
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
};

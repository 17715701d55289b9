import type { Texts } from './english.ts';
import { antiFraud } from './french/anti-fraud.ts';
import { app } from './french/app.ts';
import { audit } from './french/audit.ts';
import { buyers } from './french/buyers.ts';
import { declines } from './french/declines.ts';
import { differences } from './french/differences.ts';
import { disputes } from './french/disputes.ts';
import { events } from './french/events.ts';
import { giftCards } from './french/gift-cards.ts';
import { home } from './french/home.ts';
import { keys } from './french/keys.ts';
import { links } from './french/links.ts';
import { ownAccount } from './french/own-account.ts';
import { payment } from './french/payment.ts';
import { payments } from './french/payments.ts';
import { refundRequests } from './french/refund-requests.ts';
import { routing } from './french/routing.ts';
import { services } from './french/services.ts';
import { settlements } from './french/settlements.ts';
import { signIn } from './french/sign-in.ts';
import { threeDS } from './french/three-ds.ts';
import { team } from './french/team.ts';
import { unresolved } from './french/unresolved.ts';
import { webhooks } from './french/webhooks.ts';

/** The texts of the dashboard in French. */
export const french: Texts = {
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

import { antiFraud } from './spanish/anti-fraud.ts';
import { app } from './spanish/app.ts';
import { audit } from './spanish/audit.ts';
import { buyers } from './spanish/buyers.ts';
import { declines } from './spanish/declines.ts';
import { differences } from './spanish/differences.ts';
import { disputes } from './spanish/disputes.ts';
import { events } from './spanish/events.ts';
import { giftCards } from './spanish/gift-cards.ts';
import { home } from './spanish/home.ts';
import { keys } from './spanish/keys.ts';
import { links } from './spanish/links.ts';
import { ownAccount } from './spanish/own-account.ts';
import { payment } from './spanish/payment.ts';
import { payments } from './spanish/payments.ts';
import { refundRequests } from './spanish/refund-requests.ts';
import { routing } from './spanish/routing.ts';
import { services } from './spanish/services.ts';
import { settlements } from './spanish/settlements.ts';
import { signIn } from './spanish/sign-in.ts';
import { threeDS } from './spanish/three-ds.ts';
import { team } from './spanish/team.ts';
import { unresolved } from './spanish/unresolved.ts';
import { webhooks } from './spanish/webhooks.ts';
import type { Texts } from './english.ts';

/** The texts of the dashboard in Spanish. */
export const spanish: Texts = {
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

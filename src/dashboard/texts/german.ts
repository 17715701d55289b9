import { antiFraud } from './german/anti-fraud.ts';
import { app } from './german/app.ts';
import { audit } from './german/audit.ts';
import { buyers } from './german/buyers.ts';
import { declines } from './german/declines.ts';
import { differences } from './german/differences.ts';
import { disputes } from './german/disputes.ts';
import { events } from './german/events.ts';
import { giftCards } from './german/gift-cards.ts';
import { home } from './german/home.ts';
import { keys } from './german/keys.ts';
import { links } from './german/links.ts';
import { ownAccount } from './german/own-account.ts';
import { payment } from './german/payment.ts';
import { payments } from './german/payments.ts';
import { refundRequests } from './german/refund-requests.ts';
import { routing } from './german/routing.ts';
import { services } from './german/services.ts';
import { settlements } from './german/settlements.ts';
import { signIn } from './german/sign-in.ts';
import { threeDS } from './german/three-ds.ts';
import { team } from './german/team.ts';
import { unresolved } from './german/unresolved.ts';
import { webhooks } from './german/webhooks.ts';
import type { Texts } from './english.ts';

/** The texts of the dashboard in German. */
export const german: Texts = {
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

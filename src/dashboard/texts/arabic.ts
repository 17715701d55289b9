import { antiFraud } from './arabic/anti-fraud.ts';
import { app } from './arabic/app.ts';
import { audit } from './arabic/audit.ts';
import { buyers } from './arabic/buyers.ts';
import { declines } from './arabic/declines.ts';
import { differences } from './arabic/differences.ts';
import { disputes } from './arabic/disputes.ts';
import { events } from './arabic/events.ts';
import { giftCards } from './arabic/gift-cards.ts';
import { home } from './arabic/home.ts';
import { keys } from './arabic/keys.ts';
import { links } from './arabic/links.ts';
import { ownAccount } from './arabic/own-account.ts';
import { payment } from './arabic/payment.ts';
import { payments } from './arabic/payments.ts';
import { refundRequests } from './arabic/refund-requests.ts';
import { routing } from './arabic/routing.ts';
import { services } from './arabic/services.ts';
import { settlements } from './arabic/settlements.ts';
import { signIn } from './arabic/sign-in.ts';
import { threeDS } from './arabic/three-ds.ts';
import { team } from './arabic/team.ts';
import { unresolved } from './arabic/unresolved.ts';
import { webhooks } from './arabic/webhooks.ts';
import type { Texts } from './english.ts';

/** The texts of the dashboard in Arabic. */
export const arabic: Texts = {
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

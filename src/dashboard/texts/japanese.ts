import type { Texts } from './english.ts';
import { antiFraud } from './japanese/anti-fraud.ts';
import { app } from './japanese/app.ts';
import { audit } from './japanese/audit.ts';
import { buyers } from './japanese/buyers.ts';
import { declines } from './japanese/declines.ts';
import { differences } from './japanese/differences.ts';
import { disputes } from './japanese/disputes.ts';
import { events } from './japanese/events.ts';
import { giftCards } from './japanese/gift-cards.ts';
import { home } from './japanese/home.ts';
import { keys } from './japanese/keys.ts';
import { links } from './japanese/links.ts';
import { ownAccount } from './japanese/own-account.ts';
import { payment } from './japanese/payment.ts';
import { payments } from './japanese/payments.ts';
import { refundRequests } from './japanese/refund-requests.ts';
import { routing } from './japanese/routing.ts';
import { services } from './japanese/services.ts';
import { settlements } from './japanese/settlements.ts';
import { signIn } from './japanese/sign-in.ts';
import { threeDS } from './japanese/three-ds.ts';
import { team } from './japanese/team.ts';
import { unresolved } from './japanese/unresolved.ts';
import { webhooks } from './japanese/webhooks.ts';

/** The texts of the dashboard in Japanese. */
export const japanese: Texts = {
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

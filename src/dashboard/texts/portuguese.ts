import { english, type Texts } from './english.ts';
import { app } from './portuguese/app.ts';
import { audit } from './portuguese/audit.ts';
import { buyers } from './portuguese/buyers.ts';
import { disputes } from './portuguese/disputes.ts';
import { events } from './portuguese/events.ts';
import { home } from './portuguese/home.ts';
import { keys } from './portuguese/keys.ts';
import { links } from './portuguese/links.ts';
import { payment } from './portuguese/payment.ts';
import { payments } from './portuguese/payments.ts';
import { refundRequests } from './portuguese/refund-requests.ts';
import { services } from './portuguese/services.ts';
import { signIn } from './portuguese/sign-in.ts';
import { threeDS } from './portuguese/three-ds.ts';
import { team } from './portuguese/team.ts';
import { unresolved } from './portuguese/unresolved.ts';
import { webhooks } from './portuguese/webhooks.ts';

/** The texts of the dashboard in Portuguese. */
export const portuguese: Texts = {
  ...app,
  // These pages speak English so far.
  ...{ giftCards: english.giftCards, settlements: english.settlements },
  ...{ audit, buyers, disputes, events, home, keys, links },
  ...{ payment, payments, refundRequests, services, signIn, team, threeDS, unresolved, webhooks },
};

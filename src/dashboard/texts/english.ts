import { app } from './english/app.ts';
import { buyers } from './english/buyers.ts';
import { events } from './english/events.ts';
import { home } from './english/home.ts';
import { links } from './english/links.ts';
import { payment } from './english/payment.ts';
import { payments } from './english/payments.ts';
import { signIn } from './english/sign-in.ts';
import { unresolved } from './english/unresolved.ts';
import { webhooks } from './english/webhooks.ts';

/** The texts of the dashboard in English. */
export const english = {
  ...app,
  ...{ buyers, events, home, links, payment, payments, signIn, unresolved, webhooks },
} as const;

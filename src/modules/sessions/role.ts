import { ALL_SCOPES } from '../accounts/index.ts';

/** The role of a person at the dashboard. */
export type Role = 'owner' | 'developer' | 'support' | 'analyst';

const READS_PAYMENTS = [
  'merchant-accounts.read',
  'payment-services.read',
  'payment-service-definitions.read',
  'anti-fraud-services.read',
  'transactions.read',
  'refund-approvals.read',
  'payment-links.read',
  'disputes.read',
  'settlements.read',
  'events.read',
  'exports.read',
  'exports.write',
] as const;

/**
 * The scopes of each role. A change takes effect at the next request of a session, because a session stores its role alone.
 *
 * - An owner may do everything.
 * - A developer reads everything, and changes all but merchant accounts and keys. A developer approves no refund of others,
 *   and activates no rules of routing.
 * - Support reads payments with their buyers, and changes payments, links and disputes. Support approves refunds of others.
 * - An analyst reads payments without their buyers.
 */
export const ROLES: Readonly<Record<Role, readonly string[]>> = {
  owner: ALL_SCOPES,
  developer: [
    '*.read',
    'payment-services.write',
    'anti-fraud-services.write',
    'three-ds-scenarios.write',
    'routing-rules.write',
    'transactions.write',
    'payment-links.write',
    'payment-methods.write',
    'buyers.write',
    'gift-cards.write',
    'webhook-subscriptions.write',
    'exports.write',
  ],
  support: [
    ...READS_PAYMENTS,
    'buyers.read',
    'payment-methods.read',
    'gift-cards.read',
    'webhook-subscriptions.read',
    'transactions.write',
    'refund-approvals.write',
    'payment-links.write',
    'disputes.write',
  ],
  analyst: READS_PAYMENTS,
};

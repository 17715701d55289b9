import {
  byValue,
  covered,
  hasPairs,
  identified,
  indexed,
  one,
  unique,
  type Listed,
  type Filter,
} from '../../../platform/lists/list-filters.sql.ts';
import { byId, containing, foundBy, type Searched } from '../../../platform/lists/search.sql.ts';
import { filtersBy } from '../../../platform/lists/sorted-list.sql.ts';
import type { PaymentLinkFilter } from '../filter.ts';
import type { PaymentLinkStatus } from '../payment-link.ts';

/** Conditions of the shown statuses. An active link past its expiry counts as expired. */
const SHOWN: Readonly<Record<PaymentLinkStatus, string>> = {
  active: `(t.status = 'active' AND t.expires_at > statement_timestamp())`,
  processing: `t.status = 'processing'`,
  completed: `t.status = 'completed'`,
  expired: `(t.status = 'expired' OR t.status = 'active' AND t.expires_at <= statement_timestamp())`,
};

/** Finds links by their shown status. The index of stored statuses leads to them. */
function hasStatus(statuses: readonly PaymentLinkStatus[], listed: Listed): Filter {
  const stored = new Set(statuses);
  if (stored.has('expired')) stored.add('active');
  const index = byValue('status', 'text', [...stored], listed);
  return {
    where: () => [`(${statuses.map((status) => SHOWN[status]).join(' OR ')})`],
    index: { ...index, exact: !stored.has('active') },
    isCovered: listed.isByCreation,
  };
}

const expires = (operator: '>=' | '<=') =>
  one((moment: Date, { isByCreation }: Listed): Filter => ({
    where: (value) => [`t.expires_at ${operator} ${value(moment)}::timestamptz`],
    index: null,
    isCovered: isByCreation,
  }));

/** Every text that `payment_link_terms` makes terms of a search from. */
const SEARCHED: Searched = {
  texts: [
    't.external_identifier',
    `t.buyer->>'externalIdentifier'`,
    `t.buyer->>'displayName'`,
    `t.buyer->'billingDetails'->>'firstName'`,
    `t.buyer->'billingDetails'->>'lastName'`,
    `t.buyer->'billingDetails'->>'emailAddress'`,
  ],
  wholes: [],
  termOf: (word) => `search_term(${word})`,
  prefixMin: 3,
};

/** Returns the given filters only. */
export const filtersOf = filtersBy<PaymentLinkFilter>({
  id: one(unique('id', 'uuid')),
  status: one(hasStatus),
  currency: one(covered('currency')),
  country: one(covered('country')),
  expiresAtGte: expires('>='),
  expiresAtLte: expires('<='),
  buyerId: one(indexed('buyer_id', 'uuid')),
  buyerExternalIdentifier: one(identified((text) => `t.buyer->>'externalIdentifier' = ${text}`)),
  buyerEmailAddress: one(
    identified((text) => `lower(t.buyer->'billingDetails'->>'emailAddress') = lower(${text})`),
  ),
  externalIdentifier: one(identified((text) => `t.external_identifier = ${text}`)),
  metadata: hasPairs,
  search: (words, listed) =>
    words.map(({ text, id }) => foundBy(text, listed, SEARCHED, id === null ? [] : [byId(id, listed)])),
  contains: one((text) => containing(text, SEARCHED)),
});

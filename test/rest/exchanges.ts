import type { RestBody } from './client.ts';

/** The answers so far, by the names of exchanges. */
export type Known = ReadonlyMap<string, RestBody>;

/** A request of one path. The values of its parameters and its body may come from earlier answers. */
export type Exchange = {
  readonly params?: (id: (name: string) => string) => Readonly<Record<string, string>>;
  readonly query?: (id: (name: string) => string) => string;
  readonly body?: (id: (name: string) => string) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name under which later exchanges find the answer. */
  readonly as?: string;
};

const payment = (amount: number) => ({
  ...{ amount, currency: 'USD', country: 'US' },
  payment_method: {
    method: 'card',
    number: '4111111111111111',
    expiration_date: '12/40',
    security_code: '123',
  },
});

const service = {
  display_name: 'Cards',
  payment_service_definition_id: 'mock-card',
  fields: [{ key: 'merchant_id', value: 'shop-1' }],
  accepted_currencies: ['USD'],
  accepted_countries: ['US'],
};

const giftCards = {
  ...{ ...service, display_name: 'Gift cards', payment_service_definition_id: 'mock-gift-card' },
  ...{ accepted_currencies: ['USD'], accepted_countries: ['US'] },
};

const one = (name: string, as: string) => ({
  params: (id: (name: string) => string) => ({ [name]: id(as) }),
});

/** Requests of the paths of routing rules. They need the service. */
const ROUTING_EXCHANGES: readonly (readonly [operation: string, exchange: Exchange])[] = [
  [
    'post_routing_value_sets',
    { body: () => ({ name: 'Nordics', kind: 'country', values: ['SE', 'DK'] }), as: 'value set' },
  ],
  ['get_routing_value_sets', {}],
  ['get_routing_value_sets_routing_value_set_id', one('routing_value_set_id', 'value set')],
  [
    'put_routing_value_sets_routing_value_set_id',
    { ...one('routing_value_set_id', 'value set'), body: () => ({ values: ['SE', 'DK', 'FI'] }) },
  ],
  ['post_routing_rule_sets', { body: () => ({ name: 'Cards' }), as: 'rule set' }],
  ['get_routing_rule_sets', {}],
  ['get_routing_rule_sets_routing_rule_set_id', one('routing_rule_set_id', 'rule set')],
  [
    'post_routing_rule_sets_routing_rule_set_id_versions_check',
    { ...one('routing_rule_set_id', 'rule set'), body: (id) => ({ rules: rulesOf(id) }) },
  ],
  [
    'post_routing_rule_sets_routing_rule_set_id_versions',
    { ...one('routing_rule_set_id', 'rule set'), body: (id) => ({ rules: rulesOf(id) }), as: 'version' },
  ],
  ['get_routing_rule_sets_routing_rule_set_id_versions', one('routing_rule_set_id', 'rule set')],
  [
    'get_routing_rule_set_versions_routing_rule_set_version_id',
    one('routing_rule_set_version_id', 'version'),
  ],
  ['post_routing_activations', { body: (id) => ({ version_id: id('version'), note: 'Trial' }) }],
  ['get_routing_activations', {}],
  ['get_routing_activations_active', {}],
  [
    'post_routing_activations',
    { body: () => ({ active_from: '2040-01-01T00:00:00Z' }), as: 'planned activation' },
  ],
  [
    'post_routing_activations_routing_activation_id_cancel',
    one('routing_activation_id', 'planned activation'),
  ],
  [
    'post_routing_simulations',
    {
      body: (id) => ({ version_id: id('version'), from: '2026-01-01T00:00:00Z', sample: 50 }),
      as: 'simulation',
    },
  ],
  ['get_routing_simulations', {}],
  ['get_routing_simulations_routing_simulation_id', one('routing_simulation_id', 'simulation')],
  ['post_routing_simulations_routing_simulation_id_cancel', one('routing_simulation_id', 'simulation')],
];

/** Rules with a fact of each form. */
const rulesOf = (id: (name: string) => string) => [
  {
    name: 'Many facts',
    conditions: [
      { fact: { amount: { currency: 'USD', min: 100 } } },
      { fact: { scheme: ['carte-bancaire', 'visa'] }, not: true },
      { fact: { country_in: id('value set') } },
      { any_of: [{ fact: { bin: [{ from: '400000', to: '419999' }] } }, { fact: { is_stored: true } }] },
      { fact: { metadata: { name: 'Shop', values: ['A'] } } },
      { fact: { local_time: { zone: 'Europe/Berlin', days: ['mon'], from: '09:00', to: '24:00' } } },
    ],
    action: {
      split: [
        { weight: 1, payment_service_ids: [id('service')] },
        { weight: 2, payment_service_ids: [id('service')], only_these: true },
      ],
    },
    three_d_secure: 'never',
  },
  { name: 'Rest', action: { positions: true } },
];

/** Requests of every path, in an order that works. The key is the operation, after a space a note. */
export const EXCHANGES: readonly (readonly [operation: string, exchange: Exchange])[] = [
  ['post_payment_services', { body: () => service, as: 'service' }],
  ['post_payment_services for gift cards', { body: () => giftCards, as: 'gift card service' }],
  ['get_payment_services', { query: () => 'method=card&deleted=false&limit=1' }],
  ['get_payment_services_payment_service_id', one('payment_service_id', 'service')],
  [
    'put_payment_services_payment_service_id',
    { ...one('payment_service_id', 'service'), body: () => ({ display_name: 'Renamed' }) },
  ],
  ['post_payment_services_payment_service_id_verify', one('payment_service_id', 'service')],
  [
    'post_payment_services_verify',
    { body: () => ({ payment_service_definition_id: 'mock-card', fields: service.fields }) },
  ],
  ['get_payment_service_definitions', {}],
  [
    'get_payment_service_definitions_payment_service_definition_id',
    { params: () => ({ payment_service_definition_id: 'mock-card' }) },
  ],
  [
    'post_buyers',
    {
      body: () => ({
        ...{ display_name: 'Ada', external_identifier: 'customer-1' },
        billing_details: {
          ...{
            first_name: 'Ada',
            email_address: 'ada@example.com',
            address: { city: 'London', country: 'GB' },
          },
          tax_id: { kind: 'gb.vat', value: 'GB123' },
        },
      }),
      as: 'buyer',
    },
  ],
  ['get_buyers', { query: () => 'search=ada' }],
  ['get_buyers_buyer_id', one('buyer_id', 'buyer')],
  ['put_buyers_buyer_id', { ...one('buyer_id', 'buyer'), body: () => ({ account_number: '7' }) }],
  [
    'post_buyers_buyer_id_shipping_details',
    { ...one('buyer_id', 'buyer'), body: () => ({ first_name: 'Ada' }), as: 'shipping' },
  ],
  ['get_buyers_buyer_id_shipping_details', one('buyer_id', 'buyer')],
  [
    'get_buyers_buyer_id_shipping_details_shipping_details_id',
    { params: (id) => ({ buyer_id: id('buyer'), shipping_details_id: id('shipping') }) },
  ],
  [
    'put_buyers_buyer_id_shipping_details_shipping_details_id',
    {
      params: (id) => ({ buyer_id: id('buyer'), shipping_details_id: id('shipping') }),
      body: () => ({ last_name: 'King' }),
    },
  ],
  [
    'delete_buyers_buyer_id_shipping_details_shipping_details_id',
    { params: (id) => ({ buyer_id: id('buyer'), shipping_details_id: id('shipping') }) },
  ],
  [
    'post_payment_methods',
    {
      body: (id) => ({
        ...{ method: 'card', number: '4111111111111111', expiration_date: '12/40' },
        ...{ buyer_id: id('buyer'), external_identifier: 'card-1' },
      }),
      as: 'method',
    },
  ],
  [
    'post_payment_methods of a bank',
    {
      body: () => ({
        ...{ method: 'bank', scheme: 'sepa', account_number: 'DE89370400440532013000' },
        account_holder: { first_name: 'Ada', last_name: 'Lovelace' },
      }),
    },
  ],
  ['get_payment_methods', { query: (id) => `buyer_id=${id('buyer')}&status=processing&status=succeeded` }],
  ['get_payment_methods_payment_method_id', one('payment_method_id', 'method')],
  [
    'put_payment_methods_payment_method_id',
    {
      ...one('payment_method_id', 'method'),
      body: () => ({
        expiration_date: '01/41',
        scheme_transaction_id: '123',
        scheme_transaction_id_scheme: 'visa',
      }),
    },
  ],
  [
    'get_buyers_payment_methods',
    { query: (id) => `buyer_id=${id('buyer')}&sort_by=usage_count&order_by=asc&country=US&currency=USD` },
  ],
  [
    'get_buyers_payment_methods by the merchant’s id',
    { query: () => 'buyer_external_identifier=customer-1' },
  ],
  [
    'post_gift_cards',
    {
      body: (id) => ({ number: '4123456789012343', pin: '01234', buyer_id: id('buyer') }),
      as: 'gift card',
    },
  ],
  ['post_gift_cards_balances', { body: (id) => ({ items: [{ id: id('gift card') }] }) }],
  ['get_gift_cards', {}],
  ['get_gift_cards_gift_card_id', one('gift_card_id', 'gift card')],
  [
    'get_buyers_gift_cards',
    { query: (id) => `buyer_id=${id('buyer')}&sort_by=cit_last_used_at&order_by=asc` },
  ],
  [
    'post_transactions',
    {
      body: (id) => ({
        ...{ ...payment(1500), buyer_id: id('buyer'), metadata: { parcel: '7' }, intent: 'authorize' },
        gift_cards: [{ id: id('gift card'), amount: 100 }],
        cart_items: [{ name: 'Book', quantity: 1, amount: { currency: 'USD', value: 1500 } }],
      }),
      as: 'payment',
    },
  ],
  [
    'get_transactions',
    {
      query: () =>
        `limit=100&currency=USD&currency=EUR&has_refunds=false&disputed=false&used_3ds=false&payment_method_scheme=visa&metadata=${encodeURIComponent('{"parcel":"7"}')}`,
    },
  ],
  [
    'post_transactions with a plan of later tries',
    {
      body: (id) => ({
        ...{ amount: 1500, currency: 'USD', payment_method: { method: 'id', id: id('method') } },
        ...{ payment_source: 'recurring', merchant_initiated: true, is_subsequent_payment: true },
        retry_plan: {
          paydays: { days: [15], last: true, hour: 9, time_zone: 'Europe/Berlin' },
          until_days: 30,
        },
      }),
      as: 'planned',
    },
  ],
  ['get_transactions_transaction_id_retry_plan', one('transaction_id', 'planned')],
  ['post_transactions_transaction_id_retry_plan_stop', one('transaction_id', 'planned')],
  ['get_transactions_transaction_id', one('transaction_id', 'payment')],
  [
    'put_transactions_transaction_id',
    { ...one('transaction_id', 'payment'), body: () => ({ external_identifier: 'order-1' }) },
  ],
  ['post_captures', { body: (id) => ({ transaction_id: id('payment'), amount: 1000 }), as: 'capture' }],
  [
    'post_refunds',
    {
      body: (id) => ({ transaction_id: id('payment'), amount: 100, target_type: 'payment-method' }),
      as: 'refund',
    },
  ],
  [
    'post_transactions_transaction_id_refunds',
    { ...one('transaction_id', 'payment'), body: () => ({ amount: 50, reason: 'late' }) },
  ],
  ['post_transactions_transaction_id_refunds_all', one('transaction_id', 'payment')],
  ['get_transactions_transaction_id_captures', one('transaction_id', 'payment')],
  [
    'get_transactions_transaction_id_captures_capture_id',
    { params: (id) => ({ transaction_id: id('payment'), capture_id: id('capture') }) },
  ],
  ['get_transactions_transaction_id_refunds', one('transaction_id', 'payment')],
  [
    'get_transactions_transaction_id_refunds_refund_id',
    { params: (id) => ({ transaction_id: id('payment'), refund_id: id('refund') }) },
  ],
  ['get_refunds_refund_id', one('refund_id', 'refund')],
  ['get_transactions_transaction_id_events', one('transaction_id', 'payment')],
  ['post_transactions for a capture', { body: () => payment(200), as: 'captured' }],
  ['post_transactions for another capture', { body: () => payment(300), as: 'captured too' }],
  [
    'post_transactions_transaction_id_capture with the capture as the answer',
    {
      ...one('transaction_id', 'captured too'),
      ...{ body: () => ({ amount: 10 }), headers: { prefer: 'resource=transaction-capture' } },
    },
  ],
  [
    'post_transactions_transaction_id_capture',
    { ...one('transaction_id', 'captured'), body: () => ({ amount: 150, final: true }) },
  ],
  ['post_transactions for a void', { body: () => payment(300), as: 'voided' }],
  ['post_voids', { body: (id) => ({ transaction_id: id('voided') }) }],
  ['post_transactions for another void', { body: () => payment(400), as: 'voided too' }],
  ['post_transactions_transaction_id_void', one('transaction_id', 'voided too')],
  [
    'post_payment_links',
    {
      body: (id) => ({ ...{ amount: 100, currency: 'USD', country: 'US' }, buyer_id: id('buyer') }),
      as: 'link',
    },
  ],
  ['get_payment_links', { query: () => 'status=active&sort=created_at_asc' }],
  ['get_payment_links_payment_link_id', one('payment_link_id', 'link')],
  ['post_payment_links_payment_link_id_expire', one('payment_link_id', 'link')],
  [
    'post_three_ds_scenarios',
    {
      body: () => ({
        conditions: { amount: 77, card_number: '411111' },
        outcome: { authentication: { transaction_status: 'C' }, result: { transaction_status: 'timeout' } },
      }),
      as: 'scenario',
    },
  ],
  [
    'post_three_ds_scenarios again',
    {
      body: () => ({ conditions: { amount: 78 }, outcome: { authentication: { transaction_status: 'Y' } } }),
      as: 'second',
    },
  ],
  ['get_three_ds_scenarios', {}],
  ['get_three_ds_scenarios_three_ds_scenario_id', one('three_ds_scenario_id', 'scenario')],
  [
    'put_three_ds_scenarios_three_ds_scenario_id',
    { ...one('three_ds_scenario_id', 'scenario'), body: () => ({ conditions: { first_name: 'Ada' } }) },
  ],
  [
    'post_three_ds_scenarios_three_ds_scenario_id_move',
    { ...one('three_ds_scenario_id', 'scenario'), body: (id) => ({ after: id('second') }) },
  ],
  ['delete_three_ds_scenarios_three_ds_scenario_id', one('three_ds_scenario_id', 'scenario')],
  [
    'post_webhook_subscriptions',
    { body: () => ({ url: 'https://shop.example.com/hooks', event_names: ['transaction.*'] }), as: 'hook' },
  ],
  ['get_webhook_subscriptions', {}],
  ['get_webhook_subscriptions_subscription_id', one('subscription_id', 'hook')],
  [
    'put_webhook_subscriptions_subscription_id',
    { ...one('subscription_id', 'hook'), body: () => ({ description: 'Shop' }) },
  ],
  [
    'post_webhook_subscriptions_subscription_id_rotate_secret',
    { ...one('subscription_id', 'hook'), body: () => ({ delta: 60 }) },
  ],
  ['get_webhook_subscriptions_subscription_id_deliveries', one('subscription_id', 'hook')],
  ['delete_webhook_subscriptions_subscription_id', one('subscription_id', 'hook')],
  ...ROUTING_EXCHANGES,
  ['delete_payment_methods_payment_method_id', one('payment_method_id', 'method')],
  ['delete_gift_cards_gift_card_id', one('gift_card_id', 'gift card')],
  ['delete_buyers_buyer_id', one('buyer_id', 'buyer')],
  ['delete_payment_services_payment_service_id', one('payment_service_id', 'gift card service')],
];

/** Operations with tests of their own: the sandbox has no provider for them, or a token opens them. */
export const UNEXCHANGED: readonly string[] = [
  'post_transactions_transaction_id_sync',
  'post_transactions_transaction_id_cancel',
  'post_transactions_transaction_id_authorization_increment',
  'post_transactions_transaction_id_session',
];

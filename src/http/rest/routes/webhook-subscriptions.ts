import type { RecordForm, Route } from '../route.ts';
import { byId } from './by-id.ts';

const ENDPOINT = `id merchantAccountId url description eventNames bodyFormat headerNames basicAuthenticationUsername autoDisable
  state stateReason stateChangedAt failingSince pausedUntil disabledAt createdAt updatedAt`;

const subscription: RecordForm = {
  name: 'WebhookSubscription',
  on: 'WebhookEndpoint',
  type: 'webhook-subscription',
  fields: ENDPOINT,
  computed: {
    active: {
      schema: { type: 'boolean', description: 'False if the subscription is disabled.' },
      from: ({ state }) => state !== 'disabled',
    },
  },
};

const delivery: RecordForm = {
  name: 'WebhookDelivery',
  on: 'WebhookDelivery',
  type: 'webhook-delivery',
  fields: `id event { id name createdAt } state attemptCount nextAttemptAt expiresAt createdAt settledAt
    attempts { number startedAt durationMs statusCode error replyStart probe }`,
};

const tag = 'Webhook subscriptions';
const one = byId('/webhook-subscriptions', 'subscription_id');
const changed = { kind: 'record', at: ['webhookEndpoint'], record: subscription } as const;
const withSecret = { ...changed, beside: { secret: 'secret' } } as const;

/** The paths of endpoints that get webhooks, and of the reports about their deliveries. */
export const webhookSubscriptionRoutes: readonly Route[] = [
  {
    ...{ method: 'POST', path: '/webhook-subscriptions', tag, summary: 'Create a webhook subscription' },
    field: 'Mutation.createWebhookEndpoint',
    body: { argument: 'input', example: { url: 'https://shop.example.com/webhooks' } },
    answer: withSecret,
  },
  {
    ...{ method: 'GET', path: '/webhook-subscriptions', tag, summary: 'List webhook subscriptions' },
    field: 'Query.webhookEndpoints',
    answer: { kind: 'page', record: subscription },
  },
  {
    ...{ method: 'GET', ...one, tag, summary: 'Get a webhook subscription' },
    field: 'Query.webhookEndpoint',
    answer: { kind: 'record', record: subscription },
  },
  {
    ...{ method: 'PUT', ...one, tag, summary: 'Update a webhook subscription' },
    field: 'Mutation.updateWebhookEndpoint',
    body: { argument: 'input', example: { active: false } },
    answer: changed,
  },
  {
    ...{ method: 'DELETE', ...one, tag, summary: 'Delete a webhook subscription' },
    field: 'Mutation.deleteWebhookEndpoint',
    answer: { kind: 'none' },
  },
  {
    ...{ method: 'POST', ...byId('/webhook-subscriptions', 'subscription_id', '/rotate-secret'), tag },
    ...{ summary: 'Rotate the secret', status: 200 },
    field: 'Mutation.rotateWebhookSecret',
    body: { beside: { delta: 'overlapMinutes' }, example: { delta: 60 } },
    answer: withSecret,
  },
  {
    ...{ method: 'GET', ...byId('/webhook-subscriptions', 'subscription_id', '/deliveries'), tag },
    summary: 'List the deliveries of a webhook subscription',
    field: 'Query.webhookEndpoint',
    answer: { kind: 'page', at: ['deliveries'], record: delivery },
  },
];

import { errorResponse } from './openapi-errors.ts';

const text = { type: 'string' } as const;

/**
 * Describes the path that buyers' clients use with a session token alone. The path is at the root, whatever the prefix of the
 * others, because Paygraph gives its address to clients.
 */
export const SESSION_PATH = (url: string) =>
  ({
    '/transactions/{transaction_id}/session': {
      post: {
        operationId: 'post_transactions_transaction_id_session',
        tags: ['Transactions'],
        summary: 'Exchange a session token',
        description:
          'Returns the data for the provider’s software in the buyer’s client. Needs no access token.',
        security: [],
        servers: [{ url }],
        parameters: [
          { name: 'transaction_id', in: 'path', required: true, schema: text },
          { name: 'token', in: 'query', required: true, schema: text, description: 'The `session_token`.' },
        ],
        responses: {
          200: {
            description: 'The session.',
            content: { 'application/json': { schema: session } },
          },
          404: errorResponse('The token opens no session.'),
          409: errorResponse('The session has ended.'),
          503: errorResponse('The provider gave no usable answer.'),
          default: { $ref: '#/components/responses/default' },
        },
      },
    },
  }) as const;

const nullable = { type: ['string', 'null'] } as const;

const action = {
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'The step of the client, for the provider’s software.',
} as const;

const session = {
  type: 'object',
  properties: {
    session_data: {
      type: 'object',
      properties: {
        ...{ order_id: text, client_id: text, merchant_id: text, currency: text, intent: text },
        ...{ funding_source: text, approval_url: nullable, action },
      },
      required: ['order_id', 'client_id', 'merchant_id', 'currency', 'intent', 'funding_source'],
    },
    default_completion_url: {
      ...text,
      description: 'A GET completes the payment after the approval. A POST brings the result of an `action`.',
    },
    integration_client: { type: 'string', enum: ['ios', 'android', 'web'] },
    expires_at: { type: 'string', format: 'date-time' },
  },
  required: ['session_data', 'default_completion_url', 'integration_client', 'expires_at'],
} as const;

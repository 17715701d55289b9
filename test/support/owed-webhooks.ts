import { createHmac, randomUUID } from 'node:crypto';
import type { SimulatorReply, SimulatorRequest } from '../../src/connectors/sandbox/simulator/simulator.ts';
import type { Money } from '../../src/kernel/money.ts';
import { SIGNATURE_HEADER } from '../../src/connectors/sandbox/webhook.ts';

/** A signed webhook of a fake provider. */
export type SignedWebhook = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** The webhooks that a fake provider owes about its decisions. */
export type OwedWebhooks = {
  /** Notes the decision about a request. */
  decided(request: SimulatorRequest, reply: SimulatorReply): void;
  /** Notes that a success is taken back: the whole, or a part. */
  takenBack(verb: 'authorize' | 'capture' | 'refund', key: string, part?: Money): void;
  /** Notes a webhook as it stands. */
  tells(webhook: object): void;
  /** Takes the owed webhooks, oldest first, signed with the secret. */
  take(secret: string): readonly SignedWebhook[];
};

const RESULTS = { approved: 'succeeded', declined: 'declined', error: 'failed' } as const;

export function openOwedWebhooks(): OwedWebhooks {
  const owed: object[] = [];
  return {
    decided: (request, { result, id, amount, currency, code, message }) => {
      if (result === 'pending' || result === 'not_found') return;
      const { operation, of = 'authorize', idempotency_key } = request;
      const verb = operation === 'status' || operation === 'resume' ? of : operation;
      const facts = { idempotency_key, payment_service_reference: id, amount, currency, code, message };
      owed.push({ id: randomUUID(), event: `${verb}.${RESULTS[result]}`, ...facts });
    },
    takenBack: (verb, key, part) => {
      const event = verb === 'authorize' ? 'authorization.expired' : `${verb}.reversed`;
      const money = part && { ...part, reversal_reference: randomUUID() };
      owed.push({ id: randomUUID(), event, idempotency_key: key, code: 'insufficient_funds', ...money });
    },
    tells: (webhook) => void owed.push(webhook),
    take: (secret) => owed.splice(0).map((webhook) => signed(webhook, secret)),
  };
}

/** Signs a webhook with the secret of a service. */
export function signed(webhook: object, secret: string): SignedWebhook {
  const body = JSON.stringify(webhook);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { body, headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: `sha256=${signature}` } };
}

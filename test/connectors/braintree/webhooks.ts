import { createHash, createHmac } from 'node:crypto';
import type { DoubleEvent } from '../double-server.ts';
import {
  amountText,
  type Dispute,
  type Owed,
  type Refund,
  type Settings,
  type Transaction,
  type World,
} from './world.ts';

/** Owes a webhook about a transaction. */
export function owe(world: World, kind: string, { legacyId, minor, currency, orderId }: Transaction): void {
  const subject = `<transaction>
      <id>${legacyId}</id>
      <type>sale</type>
      <amount>${amountText(minor, currency)}</amount>
      <order-id>${orderId ?? ''}</order-id>
      <customer><id nil="true"/></customer>
    </transaction>`;
  world.owed.push({ id: world.newId(), kind, subject });
}

/** Owes a webhook about a refund that failed. */
export function oweRefund(world: World, { legacyId, minor, currency, of }: Refund): void {
  const subject = `<transaction>
      <id>${legacyId}</id>
      <type>credit</type>
      <amount>${amountText(minor, currency)}</amount>
      <refunded-transaction-id>${of.legacyId}</refunded-transaction-id>
    </transaction>`;
  world.owed.push({ id: world.newId(), kind: 'refund_failed', subject });
}

/** Owes a webhook about a dispute. */
export function oweDispute(world: World, { legacyId, minor, status, reason, of }: Dispute): void {
  const subject = `<dispute>
      <amount>${amountText(minor, of.currency)}</amount>
      <currency-iso-code>${of.currency}</currency-iso-code>
      <status>${status.toLowerCase()}</status>
      <reason>${reason.toLowerCase()}</reason>
      <id>${legacyId}</id>
      <transaction>
        <id>${of.legacyId}</id>
        <amount>${amountText(of.minor, of.currency)}</amount>
      </transaction>
    </dispute>`;
  world.owed.push({ id: world.newId(), kind: `dispute_${status.toLowerCase()}`, subject });
}

/** Writes a webhook and signs it, as a form. */
export function signed({ id, kind, subject }: Owed, at: Date, settings: Settings): DoubleEvent {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
  <notification>
    <kind>${kind}</kind>
    <timestamp type="datetime">${at.toISOString()}</timestamp>
    <subject>${subject}</subject>
  </notification>`;
  return { id, type: kind, ...formOf(xml, settings) };
}

/** Signs any XML. Lines of 60 characters end with a line feed, as those of Braintree do. */
export function formOf(
  xml: string | Buffer,
  { publicKey, privateKey }: Pick<Settings, 'publicKey' | 'privateKey'>,
): Pick<DoubleEvent, 'headers' | 'body'> {
  const payload =
    Buffer.from(xml)
      .toString('base64')
      .replaceAll(/(.{60})/g, '$1\n') + '\n';
  const key = createHash('sha1').update(privateKey).digest();
  const hex = createHmac('sha1', key).update(payload).digest('hex');
  const form = new URLSearchParams({
    bt_signature: `${publicKey}|${hex}&another_public_key|${'0'.repeat(40)}`,
    bt_payload: payload,
  });
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form.toString() };
}

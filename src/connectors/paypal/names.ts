import { isUuid } from '../door.ts';

/**
 * The texts under which PayPal keeps our keys, as `custom_id` and as `invoice_id`:
 *
 * - An order, its authorisation and the capture of a sale: the key of the authorisation, as both.
 * - A capture of an authorisation: its own key as `invoice_id`. Its `custom_id` is that of the order.
 * - A refund: its key, as both. A refund of several captures has one refund at PayPal for each, with names such as `<key>.1of2`.
 *
 * PayPal copies the names of a payment to a refund or capture that somebody makes elsewhere. So a
 * name alone does not tell the verb. The core finds the operation of the key, and takes another verb for the payment alone.
 *
 * PayPal takes an `invoice_id` once, so that nothing is paid twice after PayPal has forgotten a request id.
 */
export type Name = {
  readonly key: string;
  /** The part of a refund that is of one capture, from 1. 1 of 1 for everything else. */
  readonly part: number;
  readonly parts: number;
};

/** Writes the name of a part. `part` counts from 1. */
export const nameOf = ({ key, part, parts }: Name): string =>
  parts === 1 ? key : `${key}.${part}of${parts}`;

/** Reads a name of ours. Null for the text of another system. */
export function readName(text: string | null | undefined): Name | null {
  const [, key = '', part = '1', parts = '1'] = NAME.exec(text ?? '') ?? [];
  return isUuid(key) ? { key, part: Number(part), parts: Number(parts) } : null;
}

/** The two texts of an operation at PayPal. */
type Named = {
  readonly custom_id?: string | null | undefined;
  readonly invoice_id?: string | null | undefined;
};

/**
 * Returns the name of a capture of an authorisation, or of a refund. Null for an operation that somebody made elsewhere, as far
 * as the names tell. Each capture of ours has an `invoice_id` of its own, and each refund has the same text twice.
 */
export function ownNameOf(
  verb: 'capture' | 'refund',
  { custom_id: custom, invoice_id: invoice }: Named,
): Name | null {
  const isOurs = verb === 'capture' ? invoice !== custom : invoice === custom;
  return isOurs ? readName(invoice) : null;
}

const NAME = /^([0-9a-f-]{36})(?:\.([1-9]\d{0,2})of([1-9]\d{0,2}))?$/;

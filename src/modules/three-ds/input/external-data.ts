import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';
import { optional, pattern } from '../../../platform/input/values.ts';
import { CARD_SCHEMES } from '../../payment-services/index.ts';

// The authentication that a merchant got elsewhere and gives with a payment. Paygraph sets the lengths
// that no specification fixes. No message repeats a value: a CAVV is as good as a signature.

const letter = pattern(/^[A-Z]$/, 'Must be one capital letter, such as Y.');

const proof = {
  /** Usually base64. Some providers use a format of their own. */
  cavv: text(1, 200),
  eci: pattern(/^0?\d$/, 'Must be one digit, with or without a leading 0.'),
  directoryResponse: letter,
  scheme: optional(z.enum(CARD_SCHEMES, 'Must be a card scheme.')),
};

/** Data of version 1 of 3-D Secure. */
export const threeDSDataV1 = z.object({
  ...proof,
  version: pattern(/^1(\.\d{1,4}){0,2}$/, 'Must be a version 1 of 3-D Secure such as 1.0.2.'),
  authenticationResponse: letter,
  cavvAlgorithm: pattern(/^[0-9A-Z]$/, 'Must be one digit or capital letter.'),
  xid: text(1, 200),
});

/** Data of version 2. Without an authentication response there was no challenge. */
export const threeDSDataV2 = z.object({
  ...proof,
  version: pattern(/^2(\.\d{1,4}){0,2}$/, 'Must be a version 2 of 3-D Secure such as 2.2.0.'),
  authenticationResponse: optional(letter),
  directoryTransactionId: text(1, 200),
});

export type ThreeDSDataV1 = z.output<typeof threeDSDataV1>;
export type ThreeDSDataV2 = z.output<typeof threeDSDataV2>;

import type { Definition } from '../../../connectors/connector.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { GIFT_CARDS_ALONE, type Intent } from '../transaction.ts';

/** What of a definition says which intents it can serve. */
type Serving = Pick<Definition, 'method' | 'supportedFeatures'>;

/**
 * Whether a payment with this intent can be made there: what is only authorised must be possible to capture later. Gift cards
 * pay at once, whatever the intent.
 */
export const serves = ({ method, supportedFeatures }: Serving, intent: Intent): boolean =>
  intent === 'capture' || method === GIFT_CARDS_ALONE || supportedFeatures.delayed_capture;

/** Why a payment with this intent cannot be made there; null: it can. */
export const refuseIntent = (intent: Intent, definition: Serving): InvalidInput | null =>
  serves(definition, intent) ? null : invalidInput(['input', 'intent'], MESSAGE);

const MESSAGE =
  'Must be CAPTURE: the payment service that was chosen cannot capture later (feature delayed_capture).';

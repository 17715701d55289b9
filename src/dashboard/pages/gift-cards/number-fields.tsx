import { mistakeAt } from '../../app/mistakes.ts';
import { TextField } from '../../design/field.tsx';
import { texts } from '../../texts/texts.ts';

const { fields } = texts.giftCards;

/** The number and the PIN of a gift card, as a person types them. */
export type Numbers = { readonly number: string; readonly pin: string };

/** The values of an empty form. */
export const NO_NUMBERS: Numbers = { number: '', pin: '' };

/** Returns true for a number and a PIN of the right length. */
export const isWhole = ({ number, pin }: Numbers): boolean =>
  /^\d{16,19}$/.test(number.replaceAll(' ', '')) && /^[A-Za-z0-9]{1,20}$/.test(pin.trim());

type NumberFieldsProps = {
  readonly values: Numbers;
  readonly error: unknown;
  /** The path of the gift card below the input, such as `giftCards.0.`. */
  readonly path?: string;
  readonly onChange: (part: Partial<Numbers>) => void;
};

/** The fields for the number and the PIN. */
export function NumberFields({ values, error, path = '', onChange }: NumberFieldsProps) {
  return (
    <>
      <TextField
        label={fields.number}
        hint={fields.numberHint}
        mistake={mistakeAt(error, `${path}number`)}
        inputMode="numeric"
        maxLength={23}
        autoFocus
        required
        value={values.number}
        onChange={(number) => onChange({ number })}
      />
      <TextField
        label={fields.pin}
        hint={fields.pinHint}
        mistake={mistakeAt(error, `${path}pin`)}
        maxLength={20}
        required
        value={values.pin}
        onChange={(pin) => onChange({ pin })}
      />
    </>
  );
}

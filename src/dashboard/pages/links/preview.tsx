import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { amountOf, isCurrency, NEW, type Values } from './form.ts';

const { form } = texts.links;

/** Sketches the page of a new link while its values are typed. */
export function Preview({ values }: { readonly values: Values }) {
  const amount = writeMoney({ amount: amountOf(values) ?? 0, currency: shownCurrency(values) });
  return (
    <div className="preview" role="img" aria-label={form.preview}>
      <strong>{values.merchantName.trim() || form.shop}</strong>
      <span className="preview-amount">{amount}</span>
      {values.merchantMessage.trim() !== '' && <p>{values.merchantMessage}</p>}
      <span className="preview-field" />
      <span className="preview-pair">
        <span className="preview-field" />
        <span className="preview-field" />
      </span>
      <span
        className="preview-pay"
        style={{ background: values.merchantColor, color: textOn(values.merchantColor) }}
      >
        {form.pay(amount)}
      </span>
    </div>
  );
}

const shownCurrency = ({ currency }: Values): string => (isCurrency(currency) ? currency : NEW.currency);

/** Returns white or black, whichever is easier to read on a colour in hexadecimal digits. */
function textOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}

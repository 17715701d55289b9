/** Markup that is safe to send: made by `html`, with every value in it escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Markup | string | number | null | undefined | false | readonly Value[];

/**
 * Builds markup from a template. Values are escaped for text and for quoted attributes, and other markup is inserted
 * unchanged. Lists are joined. Null, undefined and false add nothing. Write every attribute in double quotes, and no
 * value into a script, a style or a tag's name. The indentation of the template is not sent.
 */
export const html = (texts: TemplateStringsArray, ...values: readonly Value[]): Markup =>
  new Markup(
    outdented(texts)
      .map((text, index) => text + (index < values.length ? textOf(values[index]) : ''))
      .join(''),
  );

/** Each template is one object for as long as the program runs. */
const known = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Returns the parts of a template, with the indentation behind each line break removed. */
function outdented(texts: TemplateStringsArray): readonly string[] {
  const found = known.get(texts);
  if (found) return found;
  const made = texts.map((text) => text.replace(/\n\s+/g, '\n'));
  known.set(texts, made);
  return made;
}

function textOf(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'object') return value.map(textOf).join('');
  return String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';

/** A text in ICU MessageFormat, as its parts. */
export type Message = readonly MessageFormatElement[];

type Plural = Extract<MessageFormatElement, { type: TYPE.plural }>;
type Select = Extract<MessageFormatElement, { type: TYPE.select }>;
/** The type of an argument in the compiled function. */
export type ArgumentType = 'number' | 'string';

/** Reads a text, or returns the sentence that refuses it. Braces between apostrophes are words, and `<` always is. */
export function readMessage(text: string): Message | string {
  try {
    const message = parse(text, { ignoreTag: true });
    return [...partsOf(message)].map(refusalOf).find((refusal) => refusal !== null) ?? message;
  } catch (error) {
    return `is no ICU message (${String(error)}). Check its braces, its commas and the form "other"`;
  }
}

/** Walks all parts of a message, those within its forms too, in the order of the text. */
export function* partsOf(message: Message): Generator<MessageFormatElement> {
  for (const part of message) {
    yield part;
    if (isChoice(part)) for (const { value } of Object.values(part.options)) yield* partsOf(value);
  }
}

const isChoice = (part: MessageFormatElement): part is Plural | Select =>
  part.type === TYPE.plural || part.type === TYPE.select;

const ARGUMENT = /^[a-z][A-Za-z0-9]*$/;

/** Refuses parts that the compiler does not know. The caller formats days, times and lists, because it knows their time zone. */
function refusalOf(part: MessageFormatElement): string | null {
  if (part.type === TYPE.literal || part.type === TYPE.pound) return null;
  if (!ARGUMENT.test(part.value))
    return `names the argument {${part.value}}. Begin with a small letter, and use letters and digits alone`;
  const known = [TYPE.argument, TYPE.number, TYPE.select].includes(part.type);
  const counts = part.type === TYPE.plural && part.offset === 0 && part.pluralType === 'cardinal';
  const named = part.type === TYPE.number && typeof part.style === 'string';
  if ((known || counts) && !named) return null;
  return `has a form of {${part.value}} that is not compiled. Use plural without an offset, select, number or a plain argument`;
}

/** Lists the arguments of a message in the order of their first mention. A counted argument is a number everywhere. */
export function argumentsOf(message: Message): ReadonlyMap<string, ArgumentType> {
  const found = new Map<string, ArgumentType>();
  for (const part of partsOf(message)) {
    if (part.type === TYPE.literal || part.type === TYPE.pound) continue;
    const isNumber = part.type === TYPE.plural || part.type === TYPE.number;
    found.set(part.value, isNumber ? 'number' : (found.get(part.value) ?? 'string'));
  }
  return found;
}

/** Lists the plural forms of each choice in a message. Forms for one number, such as `=0`, are left out. */
export const pluralsOf = (message: Message): readonly (readonly string[])[] =>
  [...partsOf(message)]
    .filter((part) => part.type === TYPE.plural)
    .map(({ options }) => Object.keys(options).filter((form) => !form.startsWith('=')));

/**
 * Writes a message as an expression over its arguments. A number has plain digits, unless a skeleton says more. The
 * expression calls `$plural` and `$number` of the language.
 *
 * counted: the argument of the plural around the message, which `#` stands for.
 */
export function expressionOf(message: Message, counted = ''): string {
  const [first] = message;
  if (message.length === 1 && first && isChoice(first)) return choiceOf(first, counted);
  if (message.every((part) => part.type === TYPE.literal))
    return JSON.stringify(message.map(({ value }) => value).join(''));
  return `\`${message.map((part) => pieceOf(part, counted)).join('')}\``;
}

/** Writes a part of a template. */
function pieceOf(part: MessageFormatElement, counted: string): string {
  if (part.type === TYPE.literal) return part.value.replace(/[\\`]|\$\{/g, String.raw`\$&`);
  if (part.type === TYPE.pound) return `\${${counted}}`;
  if (isChoice(part)) return `\${${choiceOf(part, counted)}}`;
  if (part.type !== TYPE.number || typeof part.style !== 'object' || part.style === null)
    return `\${${part.value}}`;
  const options = 'parsedOptions' in part.style ? part.style.parsedOptions : {};
  return `\${$number(${part.value}, ${JSON.stringify(options)})}`;
}

/** Writes a choice as comparisons. The forms of a language are left to its rules, unless all are alike. */
function choiceOf(part: Plural | Select, counted: string): string {
  const { value: name, options } = part;
  const inner = part.type === TYPE.plural ? name : counted;
  const forms = Object.entries(options).map(
    ([form, { value }]) => [form, expressionOf(value, inner)] as const,
  );
  const isCompared = ([form]: readonly [string, string]): boolean =>
    part.type === TYPE.plural ? form.startsWith('=') : form !== 'other';
  const compared = forms
    .filter(isCompared)
    .map(
      ([form, code]) =>
        `${name} === ${form.startsWith('=') ? form.slice(1) : JSON.stringify(form)} ? ${code} : `,
    );
  const rest = forms.filter((form) => !isCompared(form));
  const others = new Set(rest.map(([, code]) => code));
  const chosen = `$plural(${name}, { ${rest.map(([form, code]) => `${form}: ${code}`).join(', ')} })`;
  const last = others.size === 1 ? [...others].join('') : chosen;
  return compared.length > 0 ? `(${compared.join('')}${last})` : last;
}

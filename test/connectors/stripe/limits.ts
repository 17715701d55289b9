import type { Value, Values } from './form.ts';
import { refuseParameter } from './refusal.ts';

/** The longest texts by the name of their parameter, in characters. */
const LENGTHS: Readonly<Record<string, number>> = {
  ...{ name: 256, email: 512, receipt_email: 512, phone: 20, description: 1_000 },
  ...{ line1: 500, line2: 500, city: 500, state: 500, postal_code: 500 },
};

const METADATA_KEYS = 50;
const METADATA_NAME = 40;
const METADATA_VALUE = 500;

/** A dot-atom, and a domain of ASCII labels with at least one dot. */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i;

const lengthOf = (text: string): number => Array.from(text).length;

/** Refuses texts that are too long, malformed email addresses, and too much metadata, wherever they are in a request. */
export function checkTexts(values: Values, path = ''): void {
  for (const [name, value] of Object.entries(values)) {
    const param = path === '' ? name : `${path}[${name}]`;
    if (typeof value === 'string') checkText(name, value, param);
    else if (name === 'metadata') checkMetadata(value, param);
    else if (typeof value === 'object' && !Array.isArray(value)) checkTexts(value as Values, param);
  }
}

function checkText(name: string, text: string, param: string): void {
  const max = LENGTHS[name];
  if (max !== undefined && lengthOf(text) > max)
    refuseParameter(`Invalid string: must be at most ${max} characters.`, param);
  if (/(^|_)email$/.test(name) && !EMAIL.test(text))
    refuseParameter(`Invalid email address: ${text}`, param, 'email_invalid');
  if (!text.isWellFormed()) refuseParameter('Invalid UTF-8.', param);
}

/** Refuses metadata that one request gives, or that an object would have with what it has. */
export function checkMetadata(metadata: Value, param = 'metadata'): void {
  const entries = typeof metadata === 'object' ? Object.entries(metadata) : [];
  if (entries.length > METADATA_KEYS)
    refuseParameter(`Metadata can have up to ${METADATA_KEYS} keys.`, param, 'parameter_invalid_metadata');
  for (const [name, value] of entries) {
    if (lengthOf(name) > METADATA_NAME)
      refuseParameter(`Metadata keys can have up to ${METADATA_NAME} characters.`, `${param}[${name}]`);
    if (typeof value === 'string' && lengthOf(value) > METADATA_VALUE)
      refuseParameter(`Metadata values can have up to ${METADATA_VALUE} characters.`, `${param}[${name}]`);
  }
}

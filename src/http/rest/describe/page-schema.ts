import { html, type Markup } from '../../pages/html.ts';
import type { OpenApi } from './openapi.ts';
import type { Json, JsonSchema } from '../route.ts';

/** Shows the members of a schema as a list. Members of members follow below them, four levels deep. */
export const showSchema = (api: OpenApi, schema: JsonSchema): Markup | null => members(api, schema, LEVELS);

const LEVELS = 4;

/** Shows paragraphs and lists of a description, with its code. */
export const showText = (text: string): readonly Markup[] =>
  text === '' ? [] : text.split('\n\n').map((paragraph) => html`<p>${codeIn(paragraph)}</p>`);

const codeIn = (text: string): readonly (Markup | string)[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

function members(api: OpenApi, given: JsonSchema, levels: number): Markup | null {
  const schema = resolved(api, given);
  if (levels === 0) return null;
  const forms = formsOf(schema);
  if (forms.length > 1)
    return html`<ul class="members">
      ${forms.map((form) => html`<li>one of the forms ${nameOf(api, form)} ${members(api, form, levels)}</li>`)}
    </ul>`;
  const [only] = forms;
  if (only) return members(api, only, levels);
  if (schema['items']) return members(api, schema['items'] as JsonSchema, levels);
  const { properties, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  if (!properties) return null;
  return html`<ul class="members">
    ${Object.entries(properties).map(
      ([name, member]) =>
        html`<li>
          <code>${name}</code> <span class="soft">${typeOf(api, member)}</span>${
            required.includes(name) ? ' required' : ''
          }
          ${codeIn(((member['description'] as string | undefined) ?? '').split('\n\n')[0] ?? '')}
          ${members(api, member, levels - 1)}
        </li>`,
    )}
  </ul>`;
}

/** The forms of a schema, without null. A record with further members has one form with all members. */
function formsOf(schema: JsonSchema): readonly JsonSchema[] {
  const forms = (schema['oneOf'] ?? schema['anyOf'] ?? schema['allOf'] ?? []) as readonly JsonSchema[];
  return forms.filter(({ type }) => type !== 'null');
}

/** The constant that tells a form from the others. */
function nameOf(api: OpenApi, form: JsonSchema): Markup | string {
  const { method } = (resolved(api, form)['properties'] ?? {}) as Readonly<Record<string, Json>>;
  return typeof method?.['const'] === 'string' ? html`<code>${method['const']}</code>` : '';
}

function typeOf(api: OpenApi, given: JsonSchema): string {
  const schema = resolved(api, given);
  const { type, enum: values, const: constant } = schema;
  if (typeof constant === 'string') return constant;
  if (Array.isArray(values)) return (values as readonly unknown[]).map(String).join(' | ');
  const types: readonly unknown[] = Array.isArray(type) ? (type as unknown[]) : [type ?? 'object'];
  return types.map(String).join(' or ');
}

function resolved(api: OpenApi, schema: JsonSchema): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const found = api.components.schemas[reference.split('/').at(-1) ?? ''];
  if (!found) throw new Error(`The description has no ${reference}.`);
  return found;
}

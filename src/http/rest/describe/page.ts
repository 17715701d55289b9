import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STYLE } from '../../docs/style.ts';
import { html, type Markup } from '../../pages/html.ts';
import type { Page } from '../../pages/page.ts';
import type { OpenApi, Operation, Parameter } from './openapi.ts';
import { showSchema, showText } from './page-schema.ts';
import type { JsonSchema } from '../route.ts';
import { howToRun } from '../../../platform/process/how-to-run.ts';

/** Makes the page that shows the description to people, and sends requests for them. All of it is in the page itself. */
export function describePage(api: OpenApi, prefix: string): Page {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = api.tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const body = html`<article id="text">
    <h1>REST paths</h1>
    <p>${api.info['description'] as string}</p>
    <p>
      The <a href="/docs/guides/rest">guide</a> explains the rules of all paths. Tools read the
      <a href="${prefix}/openapi.json">description as OpenAPI 3.1</a>.
    </p>
    <form class="access" id="access">
      <label for="token">Access token</label>
      <input id="token" type="password" autocomplete="off" spellcheck="false" />
      <label for="account">Merchant account</label>
      <input id="account" autocomplete="off" placeholder="default" />
    </form>
    <p class="soft">
      The page sends requests with this token, and forgets the token with the page. In the sandbox,
      <code>${howToRun('token')}</code> prints one.
    </p>
    ${groups.map(({ name, operations: all }) => [
      html`<h2>${name}</h2>`,
      all.map((each) => showOperation(api, each, prefix)),
    ])}
  </article>`;
  return { title: 'REST paths · Paygraph', body, styles: [STYLE, PAGE_STYLE], script: SCRIPT };
}

const SCRIPT = readFileSync(join(import.meta.dirname, 'in-browser.js'), 'utf8');

const PAGE_STYLE = `
details.operation{margin:0 0 .5rem;border:1px solid var(--line);border-radius:.625rem}
details.operation>summary{padding:.5rem .75rem;cursor:pointer;overflow-wrap:anywhere}
details.operation>div{padding:0 .75rem .75rem}
.method{display:inline-block;min-width:4.25rem;font-weight:680;font-size:.8125rem}
.soft{color:var(--soft);font-size:.875rem}
form.access,form.try{display:grid;gap:.375rem;margin:0 0 1rem}
form.access label,form.try label{position:static;font-size:.875rem}
form.access input,form.try input,form.try textarea{max-width:none;width:100%}
form.try textarea{min-height:10rem;padding:.5rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--ground);color:inherit;font:.8125rem/1.5 ui-monospace,Menlo,Consolas,monospace}
form.try button{justify-self:start}
ul.members{list-style:none;padding-left:0}
ul.members ul.members{padding-left:1rem;border-left:2px solid var(--line)}
`;

type Placed = { readonly method: string; readonly path: string; readonly operation: Operation };

function showOperation(api: OpenApi, { method, path, operation }: Placed, prefix: string): Markup {
  const { operationId, summary, description = '', parameters, requestBody, responses } = operation;
  const content = requestBody?.content['application/json'];
  const status = Object.keys(responses)[0] ?? '';
  const scopes = operation.security.flatMap((each) => Object.values(each).flat()).join(', ');
  return html`<details class="operation" id="${operationId}">
    <summary>
      <span class="method">${method}</span> <code>${path}</code><br />
      <span class="soft">${summary}</span>
    </summary>
    <div>
      ${showText(description)}
      <p class="soft">${scopes === '' ? 'Needs no access token.' : html`Scope: <code>${scopes}</code>`}</p>
      ${content && [html`<h3>Body</h3>`, showSchema(api, content.schema)]}
      <h3>Answer ${status}</h3>
      ${showSchema(api, answerOf(responses[status]))}
      <h3>Try the path</h3>
      <form class="try" data-method="${method}" data-path="${isOutside(operation) ? '' : prefix}${path}">
        ${parameters.filter(({ name }) => name !== ACCOUNT).map((each) => showParameter(operationId, each))}
        ${
          content &&
          html`<label for="${operationId}-body">Body</label>
            <textarea id="${operationId}-body" name="body" spellcheck="false">
${JSON.stringify(content.example ?? {}, null, 2)}</textarea>`
        }
        <button>Send</button>
        <pre role="status" hidden></pre>
      </form>
    </div>
  </details>`;
}

const ACCOUNT = 'x-service-merchant-account-id';

/** True for a path that the prefix does not apply to. */
const isOutside = (operation: Operation): boolean => 'servers' in operation;

const answerOf = (response: unknown): JsonSchema =>
  (response as { content?: { 'application/json': { schema: JsonSchema } } } | undefined)?.content?.[
    'application/json'
  ].schema ?? {};

const showParameter = (operationId: string, { name, in: place, required, description = '' }: Parameter) => {
  const id = `${operationId}-${name}`;
  return html`<label for="${id}">
      <code>${name}</code> ${required ? 'required' : ''}
      <span class="soft">${description.split('\n\n')[0]}</span>
    </label>
    <input id="${id}" data-name="${name}" data-in="${place}" autocomplete="off" />`;
};

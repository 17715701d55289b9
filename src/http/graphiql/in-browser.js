// Runs in the browser. Starts GraphiQL with the server's options, and with requests that go to this server only.
import { createClient } from './client.js';

const { token, tabs } = JSON.parse(document.getElementById('options').textContent);
const sandboxHeaders = { authorization: `Bearer ${token ?? '<token: npm run --silent token>'}` };

const workers = { json: 'json-worker.js', graphql: 'graphql-worker.js' };
globalThis.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_moduleId, label) => `/graphiql/${workers[label] ?? 'editor-worker.js'}`,
};

/** The operation that runs: the one of the name, or the first, because GraphiQL may still hold the name of another tab. */
function chooseOperation({ query, operationName }) {
  const text = query.replaceAll(/#.*$/gm, '');
  const found = [...text.matchAll(/(?:^|\})\s*(query|mutation|subscription|\{)\s*(\w*)/g)];
  const [, kind, name] = found.find(([, , each]) => each === operationName) ?? found[0] ?? [];
  return { kind, operationName: kind === '{' ? undefined : name || undefined };
}

function subscribe(operation, headers) {
  const url = new URL('/graphql', location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  const client = createClient({ url: url.href, connectionParams: headers, retryAttempts: 3 });
  const events = client.iterate(operation);
  return {
    next: () => events.next(),
    return: async () => {
      await events.return();
      await client.dispose();
      return { done: true, value: undefined };
    },
    throw: (error) => events.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function request(operation, headers) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { accept: 'application/graphql-response+json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(operation),
  });
  return response.json();
}

// Headers of an earlier visit hold an old token: a token that nobody typed is replaced by the new one.
function withToken(typed = {}) {
  const names = Object.keys(typed).map((name) => name.toLowerCase());
  return names.includes('authorization') ? typed : { ...sandboxHeaders, ...typed };
}

function fetcher(given, { headers } = {}) {
  const { kind, operationName } = chooseOperation(given);
  const run = kind === 'subscription' ? subscribe : request;
  return run({ ...given, operationName }, withToken(headers));
}

// The library lets a pressed tab slide from under the pointer, and the browser then sees a click beside the tab. A press that
// moved nowhere is a click on its tab.
const DRAG_PX = 4;
let pressed = null;
addEventListener(
  'pointerdown',
  ({ target, clientX: x, clientY: y }) => {
    pressed = { button: target.closest('.graphiql-tab button'), x, y };
  },
  true,
);
addEventListener('click', ({ target, isTrusted, clientX, clientY }) => {
  if (!isTrusted || !pressed?.button || target.closest('.graphiql-tab')) return;
  if (Math.hypot(clientX - pressed.x, clientY - pressed.y) < DRAG_PX) pressed.button.click();
});

const headers = JSON.stringify(sandboxHeaders, null, 2);
globalThis.YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), {
  fetcher,
  title: 'Paygraph',
  logo: '<img src="/graphiql/icon.svg" alt="" width="28" height="28">',
  defaultTabs: tabs.map((tab) => ({ headers, ...tab })),
  headers,
  defaultHeaders: headers,
  shouldPersistHeaders: false,
  defaultEditorToolsVisibility: 'headers',
});

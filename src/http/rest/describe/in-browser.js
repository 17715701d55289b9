// Sends the request of a form, and shows the answer below the form. All values stay in this page.
document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  if (!form.dataset.method) return;
  const output = form.querySelector('pre');
  output.hidden = false;
  output.textContent = '…';
  try {
    const response = await send(form);
    output.textContent = await shown(response);
  } catch (error) {
    output.textContent = String(error);
  }
});

function send(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  for (const { value, dataset } of form.querySelectorAll('[data-in]')) {
    if (dataset.in === 'path') path = path.replace(`{${dataset.name}}`, encodeURIComponent(value));
    else if (value !== '' && dataset.in === 'query') query.append(dataset.name, value);
    else if (value !== '') headers[dataset.name] = value;
  }
  const token = document.getElementById('token').value.trim();
  const account = document.getElementById('account').value.trim();
  if (token !== '') headers.authorization = `Bearer ${token}`;
  if (account !== '') headers['x-service-merchant-account-id'] = account;
  const body = form.querySelector('[name=body]')?.value;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const search = query.size > 0 ? `?${query}` : '';
  return fetch(path + search, { method: form.dataset.method, headers, body });
}

async function shown(response) {
  const text = await response.text();
  const head = `${response.status} ${response.statusText}`;
  try {
    return `${head}\n\n${JSON.stringify(JSON.parse(text), null, 2)}`;
  } catch {
    return `${head}\n\n${text}`;
  }
}

'use strict';
{
  const card = document.querySelector('form.card');
  const digitsOf = (text) => text.replace(/\D/g, '');

  // Length of the groups, and of the whole, by how a number begins.
  const schemes = [
    ['American Express', /^3[47]/, [4, 6, 5], [15]],
    [
      'Elo',
      /^(40117[89]|438935|45763[12]|431274|451416|457393|504175|506(699|7[0-7])|509|627780|636(297|368)|650(03[1-35-9]|04|05[01]|4(0[5-9]|[1-3]|8[5-9]|9)|5([0-2]|3[0-8]|4[1-9]|[5-9])|7([01]|2[0-7])|9)|6516(5[2-9]|[67])|6550[0-5])/,
      [4, 4, 4, 4],
      [16],
    ],
    ['Hipercard', /^606282/, [4, 4, 4, 4], [16]],
    ['Mir', /^220[0-4]/, [4, 4, 4, 4, 3], [16, 17, 18, 19]],
    ['Maestro', /^(493698|5[06-9]|6[37])/, [4, 4, 4, 4, 3], [13, 14, 15, 16, 17, 18, 19]],
    ['Visa', /^4/, [4, 4, 4, 4, 3], [13, 16, 19]],
    ['Mastercard', /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/, [4, 4, 4, 4], [16]],
    ['Discover', /^(6011|64[4-9]|65)/, [4, 4, 4, 4, 3], [16, 19]],
    ['Diners Club', /^3(0[0-5]|[689])/, [4, 6, 4], [14, 16, 19]],
    ['JCB', /^35(2[89]|[3-8])/, [4, 4, 4, 4, 3], [16, 19]],
    ['UnionPay', /^62/, [4, 4, 4, 4, 3], [16, 17, 18, 19]],
  ];
  const schemeOf = (digits) =>
    schemes.find(([, begins]) => begins.test(digits)) || ['', null, [4, 4, 4, 4, 3], []];

  const passesLuhn = (digits) =>
    [...digits].reverse().reduce((sum, digit, at) => {
      const value = Number(digit) * (at % 2 ? 2 : 1);
      return sum + (value > 9 ? value - 9 : value);
    }, 0) %
      10 ===
    0;

  const grouped = (digits) => {
    let at = 0;
    return schemeOf(digits)[2]
      .map((length) => digits.slice(at, (at += length)))
      .filter(Boolean)
      .join(' ');
  };
  const slashed = (digits) => {
    const all = /^[2-9]/.test(digits) ? `0${digits}` : digits;
    return all.length > 2 ? `${all.slice(0, 2)}/${all.slice(2, 4)}` : all;
  };

  /** The digits of the security code. Nothing while the scheme is not known. */
  const codeLength = (form) => {
    const stored = form.querySelector('.choice :checked:not([value=""])');
    if (stored) return stored.dataset.code;
    const [scheme] = schemeOf(digitsOf(form.elements.number.value));
    return scheme && (scheme === 'American Express' ? 4 : 3);
  };

  const checks = {
    number: (text) => {
      const digits = digitsOf(text);
      const [scheme, , , lengths] = schemeOf(digits);
      // The check digit of others is not known; nor has every card of UnionPay and Maestro one.
      if (/^(UnionPay|Maestro|)$/.test(scheme)) return digits.length > 12 && digits.length < 20;
      return lengths.includes(digits.length) && passesLuhn(digits);
    },
    expiry: (text) => {
      const [, month, year] = /^(0[1-9]|1[0-2])\/(\d\d)$/.exec(text.trim()) || [];
      return month !== undefined && new Date(2000 + Number(year), Number(month), 2) > new Date();
    },
    security_code: (text, { form }) => new RegExp(`^\\d{${codeLength(form) || '3,4'}}$`).test(text.trim()),
    name: (text) => text.trim() !== '',
    iban: (text) => {
      const plain = text.replace(/[\s-]/g, '').toUpperCase();
      const digits = [...(plain.slice(4) + plain.slice(0, 4))].map((sign) => parseInt(sign, 36)).join('');
      return /^[A-Z]{2}\d\d[A-Z0-9]{8,30}$/.test(plain) && BigInt(digits) % 97n === 1n;
    },
    ach_number: (text) => /^\d{4,17}$/.test(text.replace(/[\s-]/g, '')),
    routing_number: (text) => /^\d{9}$/.test(text.replace(/[\s-]/g, '')),
    bacs_number: (text) => /^\d{8}$/.test(text.replace(/[\s-]/g, '')),
    sort_code: (text) => /^\d{6}$/.test(text.replace(/[\s-]/g, '')),
    account_type: (text) => text !== '',
    holder: (text) => text.trim() !== '',
    mandate: (_, box) => box.checked,
    email: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()),
    gift_number: (text) => /^\d{16,19}$/.test(text.replace(/ /g, '')),
    gift_pin: (text) => /^[0-9A-Za-z]{1,20}$/.test(text.trim()),
  };

  /** Writes an input anew, with the cursor behind the same digit. */
  const rewrite = (input, write) => {
    const end = input.selectionStart === input.value.length;
    const before = digitsOf(input.value.slice(0, input.selectionStart)).length;
    const text = write(digitsOf(input.value));
    if (text === input.value) return;
    input.value = text;
    if (end) return;
    let at = 0;
    for (let seen = 0; at < text.length && seen < before; at += 1) if (/\d/.test(text[at])) seen += 1;
    input.setSelectionRange(at, at);
  };

  const judge = (input) => {
    const good = checks[input.name](input.value, input);
    input.setAttribute('aria-invalid', String(!good));
    const { error, errorOf } = input.dataset;
    const count = errorOf && codeLength(input.form);
    const text = count ? errorOf.replace('{count}', count) : error;
    document.getElementById(`${input.id}-error`).textContent = good ? '' : text;
    return good;
  };

  // The server knows no time zone of a buyer.
  const time = document.querySelector('[data-local]');
  if (time) {
    const style = { dateStyle: 'long', timeStyle: 'short' };
    time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, style);
  }

  const print = document.querySelector('[data-print]');
  if (print) {
    print.hidden = false;
    print.addEventListener('click', () => window.print());
  }

  if (card) {
    const { number, expiry, security_code: code } = card.elements;
    const scheme = document.querySelector('.scheme');
    const networks = card.querySelector('[data-networks]');
    const all = networks && [...networks.querySelectorAll('option')];
    // A number of another scheme is of one network.
    const showNetworks = (name) => {
      const select = card.elements.network;
      networks.hidden = !/^(Visa|Mastercard|Maestro)$/.test(name);
      const fitting = all.filter(
        ({ value }) =>
          !networks.hidden && (!/^(visa|mastercard)$/.test(value) || value === name.toLowerCase()),
      );
      const chosen = select.value;
      select.replaceChildren(...(networks.hidden ? all.slice(0, 1) : fitting));
      select.value = fitting.some(({ value }) => value === chosen) ? chosen : '';
    };
    const showNumber = () => {
      rewrite(number, grouped);
      const [name] = schemeOf(digitsOf(number.value));
      if (networks) showNetworks(name);
      scheme.lastChild.textContent = name;
      scheme.querySelector('use').setAttribute('href', `#${name.replace(' ', '-')}`);
    };
    number.addEventListener('input', () => {
      showNumber();
      // The number decides how long the code is.
      if (code.getAttribute('aria-invalid') === 'true') judge(code);
    });
    showNumber();
    expiry.addEventListener('input', (event) => {
      // A slash that is deleted must not come back at once.
      if (event.inputType !== 'deleteContentBackward') rewrite(expiry, slashed);
    });
  }

  // A message that appears while a button is pressed would move the button away, and the press would be lost.
  let pressing = false;
  addEventListener('pointerdown', ({ target }) => (pressing = target.closest('button') !== null));
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => (pressing = false));

  for (const form of document.querySelectorAll('form[novalidate]')) {
    const inputs = [...form.querySelectorAll('[data-error]')];
    for (const input of inputs) {
      input.addEventListener('change', () => input.value !== '' && !pressing && judge(input));
      input.addEventListener('input', () => input.getAttribute('aria-invalid') === 'true' && judge(input));
    }
    form.addEventListener('submit', (event) => {
      // What is not shown is not asked for: another card is paid with.
      const bad = inputs.filter((input) => input.offsetParent !== null && !judge(input));
      if (bad.length === 0) return;
      event.preventDefault();
      bad[0].focus();
    });
  }

  // Each form describes the browser. A wallet sends its form without a submission.
  const browser = {
    type: 'hidden',
    name: 'browser',
    value: JSON.stringify({
      language: navigator.language,
      java: navigator.javaEnabled?.() === true,
      depth: screen.colorDepth,
      height: screen.height,
      width: screen.width,
      offset: new Date().getTimezoneOffset(),
    }),
  };
  for (const form of document.forms) form.append(Object.assign(document.createElement('input'), browser));

  // One submission of a page: of whichever form.
  let sent = false;
  const buttons = () => [...document.querySelectorAll('form button')];
  document.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    if (sent) return event.preventDefault();
    sent = true;
    for (const button of buttons()) button.setAttribute('aria-disabled', 'true');
    const pressed = event.submitter;
    if (pressed?.dataset.paying) pressed.textContent = pressed.dataset.paying;
  });
  addEventListener('pageshow', (event) => event.persisted && location.reload());

  // While a payment is under way the page asks how it stands, and is loaded anew when that has changed.
  const state = document.querySelector('[data-state]')?.dataset.state;
  if (state) {
    const ask = async () => {
      try {
        // A way back to the merchant is followed by the reload, and not by the script.
        const reply = await fetch(location.href, { cache: 'no-store', redirect: 'manual' });
        if (!(await reply.text()).includes(`data-state="${state}"`)) return location.reload();
      } catch {
        // Not reached: asked again.
      }
      setTimeout(ask, 2500);
    };
    setTimeout(ask, 2500);
  }
}

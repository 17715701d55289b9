import { describe, expect, it } from '@jest/globals';
import { createAttemptLimit, FAILURES_MAX, WINDOW_MS } from '../../src/http/checkout/attempt-limit.ts';
import { brandOf, contrast, luminance } from '../../src/http/checkout/look/color.ts';
import {
  chooseLanguage,
  fill,
  LANGUAGES,
  readAcceptLanguage,
} from '../../src/http/checkout/look/language.ts';
import {
  SCRIPT,
  SCRIPT_INVENTORY,
  SCRIPT_WITH_COPY,
  SCRIPT_WITH_WALLETS,
} from '../../src/http/checkout/look/script.ts';
import { networkOf } from '../../src/platform/http/network.ts';
import { brandStyle } from '../../src/http/checkout/look/style.ts';
import { isMistyped, wrongFields } from '../../src/http/checkout/submission.ts';
import { originOf, webAddressOf } from '../../src/http/checkout/look/view.ts';
import { invalidInput } from '../../src/kernel/refusal.ts';
import { sourceOf } from '../../src/http/pages/page.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';

const placesOf = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe('the texts of the payment page', () => {
  it.each(Object.entries(LANGUAGES))(
    'are complete in %s, with the placeholders of the English ones',
    (_, texts) => {
      const { en } = LANGUAGES;
      expect(Object.keys(texts)).toEqual(Object.keys(en));
      for (const [name, text] of Object.entries(texts)) {
        expect(text.trim()).not.toBe('');
        expect([name, placesOf(text)]).toEqual([name, placesOf(en[name as keyof typeof en])]);
      }
    },
  );

  it('are each in its own language', () => {
    const { en, ...others } = LANGUAGES;
    for (const [language, texts] of Object.entries(others)) {
      const same = Object.entries(en).filter(([name, text]) => text === texts[name as keyof typeof en]);
      // "Total" is a word of several languages.
      expect([language, same.map(([name]) => name).filter((name) => name !== 'total')]).toEqual([
        language,
        [],
      ]);
    }
  });

  it('are filled in once: an inserted value is not a text', () => {
    expect(fill('Pay {merchant} {amount} {other}', { merchant: '{amount}', amount: '$1' })).toBe(
      'Pay {amount} $1 {other}',
    );
  });
});

describe('the language of the page', () => {
  it.each([
    [null, undefined, 'en', 'ltr'],
    [null, 'de-CH, fr;q=0.9', 'de-CH', 'ltr'],
    [null, 'fr;q=0.3, de;q=0.7, *;q=0.1', 'de', 'ltr'],
    [null, 'nl, pl;q=0.9, es-MX;q=0.8', 'es-MX', 'ltr'],
    [null, 'nl, pl', 'en', 'ltr'],
    [null, ';;;,,,q=1,\u0000,--,x'.repeat(50), 'en', 'ltr'],
    [null, 'de;q=0, fr', 'fr', 'ltr'],
    ['ar-EG', 'de', 'ar-EG', 'rtl'],
    ['ja-JP-u-ca-japanese', 'de', 'ja-JP', 'ltr'],
    ['nl', 'pt-BR', 'pt-BR', 'ltr'],
  ])('of the link %s and the browser %s is %s', (locale, header, tag, direction) => {
    expect(chooseLanguage(locale, header)).toMatchObject({ tag, direction });
  });

  it('follows the weights of the tags in a header', () => {
    expect(readAcceptLanguage('en;q=0.5, de, fr;q=0.9, *')).toEqual(['de', 'fr', 'en']);
  });
});

describe('the colour of a merchant', () => {
  it('gets a text colour with enough contrast', () => {
    for (let at = 0; at < 4096; at += 1) {
      const { color, on } = brandOf(`#${at.toString(16).padStart(3, '0')}`);
      expect(color).toMatch(/^#[0-9a-f]{6}$/);
      expect(contrast(luminance(color.slice(1)), luminance(on.slice(1)))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(['reddish', '#12', '#1234567', 'url(x)', 'fff', '#fff;}*{display:none', '#fff</style>', '', null])(
    '%s is no colour',
    (color) => {
      expect(brandStyle(brandOf(color))).toBe(':root{--brand:#1f4fd8;--on:#ffffff}');
    },
  );
});

describe('addresses of a merchant', () => {
  it.each([
    ['https://shop.example/a.png?b', 'https://shop.example'],
    ['https://shop.example:8443/a', 'https://shop.example:8443'],
    ["https://a;script-src 'unsafe-inline'/x", null],
    ['https://a;img-src/x.png', null],
    ['https://a,b/x.png', null],
    ["https://a'b/x.png", null],
    ['https://*/x.png', null],
    ['data:image/png;base64,AA', null],
    ['javascript:alert(1)', null],
    // The origin of a blob is that of its inner address.
    ['blob:https://shop.example/x', null],
    [null, null],
  ])('%s is shown an image of %s', (address, origin) => expect(originOf(address)).toBe(origin));

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'blob:https://shop.example/x',
    'vbscript:x',
    'no address',
    null,
  ])('%s is no link', (address) => expect(webAddressOf(address)).toBeNull());
});

describe('the limit of failed payments', () => {
  const one = { linkId: 'one', address: '192.0.2.1' };

  it('blocks a link and an address until the end of a quarter of an hour', () => {
    const clock = createShiftedClock();
    const limit = createAttemptLimit(clock);
    for (let count = 0; count < FAILURES_MAX.link; count += 1) {
      expect(limit.wait(one)).toBeNull();
      limit.count(one);
    }
    expect(limit.wait({ ...one, address: '192.0.2.2' })).toBeGreaterThan(WINDOW_MS / 1000 - 60);
    expect(limit.wait({ ...one, linkId: 'two' })).toBeNull();
    for (let count = 0; count < FAILURES_MAX.address; count += 1)
      limit.count({ linkId: String(count), address: '2001:db8:1:2::1' });
    expect(limit.wait({ linkId: 'new', address: '2001:db8:1:2:ffff::9' })).not.toBeNull();
    clock.advance(WINDOW_MS + 1);
    expect([limit.wait(one), limit.wait({ linkId: 'new', address: '2001:db8:1:2::1' })]).toEqual([
      null,
      null,
    ]);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('counts %s as %s', (address, network) => expect(networkOf(address)).toBe(network));
});

describe('the scripts of the page', () => {
  it('are those of the inventory', () => {
    expect(SCRIPT_INVENTORY.map(({ source }) => source)).toEqual(
      [SCRIPT, SCRIPT_WITH_WALLETS, SCRIPT_WITH_COPY].map((script) => sourceOf(script)),
    );
  });
});

describe('a card number', () => {
  it.each([
    ['4111 1111 1111 1111', false],
    ['4111 1111 1111 1112', true],
    ['3782 822463 10005', false],
    ['3782 822463 10006', true],
    // A scheme without a check digit in every country needs none.
    ['9000 1001 1111 1111', false],
    ['6200 0000 0000 0003', false],
    ['', false],
  ])('%s is mistyped: %s', (number, mistyped) => expect(isMistyped(number)).toBe(mistyped));
});

describe('a refusal', () => {
  it('is shown at its fields, all at once, and above the form when a field is not the buyer’s', () => {
    const number = invalidInput(['input', 'paymentMethod', 'card', 'number'], 'no');
    const name = invalidInput(['input', 'buyer', 'displayName'], 'no');
    expect(wrongFields([number, name])).toEqual(new Set(['number', 'name']));
    expect(wrongFields([number, invalidInput(['input', 'metadata'], 'no')])).toBeNull();
    expect(wrongFields([{ kind: 'NoPaymentService', passedOver: [] }])).toBeNull();
  });
});

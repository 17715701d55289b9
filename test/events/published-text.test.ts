import { describe, expect, it } from '@jest/globals';
import { envelopeText, publishedText } from '../../src/modules/event-log/index.ts';

const EVENT = {
  ...{ merchantAccountId: 'default', id: '019ca8f0-0000-7000-8000-000000000001', name: 'buyer.created' },
  ...{ createdAt: new Date(0), production: false, target: { type: 'buyer', id: 'b' } },
};

describe('the published text of an event', () => {
  it('has the sequence before the written text', () => {
    const text = envelopeText(EVENT);

    expect(publishedText(text, 7n)).toBe(`{"sequence":7,${text.slice(1)}`);
    expect(JSON.parse(text)).toMatchObject({ version: 1 });
  });

  it('keeps the version that the event was written in, by either writer', () => {
    expect(publishedText('{"version":3,"type":"event"}', 7n)).toBe(
      '{"sequence":7,"version":3,"type":"event"}',
    );
    expect(publishedText('{"version" : 3, "type" : "event"}', 7n)).toBe(
      '{"sequence":7,"version" : 3, "type" : "event"}',
    );
  });

  it('has version 1 if an earlier release wrote the event', () => {
    expect(publishedText('{"type":"event"}', 7n)).toBe('{"sequence":7,"version":1,"type":"event"}');
  });
});

import { describe, expect, it } from '@jest/globals';
import { nameOf, readAddress, withDatabaseName } from '../../src/platform/process/database-address.ts';

describe('an address of the database', () => {
  it('with one host is taken as it is', () => {
    const url = 'postgresql://user:p%40ss@db:5433/paygraph?sslmode=verify-full&host=/run/postgresql';

    expect(readAddress(url)).toEqual({ urls: [url], primary: false });
  });

  it('with several hosts is the primary among them, as libpq writes it', () => {
    const both = {
      urls: ['postgresql://u:p@one:5432/paygraph', 'postgresql://u:p@two:5433/paygraph'],
      primary: true,
    };

    expect(readAddress('postgresql://u:p@one:5432,two:5433/paygraph')).toEqual(both);
    const attribute = 'target_session_attrs=read-write';
    expect(readAddress(`postgresql://u:p@one:5432,two:5433/paygraph?${attribute}`)).toEqual(both);
  });

  it('keeps its other parameters when it asks one host for the primary', () => {
    expect(readAddress('postgres://db/paygraph?target_session_attrs=primary&sslmode=require')).toEqual({
      urls: ['postgres://db/paygraph?sslmode=require'],
      primary: true,
    });
  });

  it.each([
    'localhost:5432',
    'mysql://db/paygraph',
    'postgresql://one:5432,two:x/paygraph',
    'postgresql://one,two/paygraph?target_session_attrs=any',
    'postgresql://one/paygraph?target_session_attrs=standby',
  ])('is refused as %s', (text) => {
    expect(readAddress(text)).toBeNull();
  });

  it('is named without its password', () => {
    expect(nameOf('postgresql://u:secret@one,two:5433/paygraph')).toBe('paygraph at one:5432 or two:5433');
  });

  it('leads to another database of the same hosts', () => {
    expect(withDatabaseName('postgresql://u:p@one,two:5433/paygraph?sslmode=require', 'other')).toBe(
      'postgresql://u:p@one,two:5433/other?sslmode=require',
    );
    expect(withDatabaseName('postgresql://one', 'other')).toBe('postgresql://one/other');
  });
});

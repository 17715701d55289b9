import { expect, it } from '@jest/globals';
import { brazilianTaxIdOf } from '../../../src/connectors/buyer/needs.ts';

it.each([
  ['br_cpf', '529.982.247-25', '52998224725'],
  ['br_cpf', ' 529 982 247 25 ', '52998224725'],
  ['br_cnpj', '11.222.333/0001-81', '11222333000181'],
  ['br_cnpj', '12.abc.345/01de-35', '12ABC34501DE35'],
  ['br_cpf', 'abc', null],
  ['br_cpf', '5299822472', null],
  ['br_cpf', '11.222.333/0001-81', null],
  ['br_cnpj', '52998224725', null],
  ['br_cnpj', '12ABC34501DEX5', null],
  ['de_vat', '52998224725', null],
])('%s %s goes out as %s', (kind, value, sent) => {
  expect(brazilianTaxIdOf({ taxId: { kind, value } })).toBe(sent);
});

it('is absent for a buyer without one', () => {
  expect(brazilianTaxIdOf({ taxId: null })).toBeNull();
});

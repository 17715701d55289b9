import { Kind, parse, visit, type ASTNode, type ConstDirectiveNode } from 'graphql';
import { isDay } from '../support/day.ts';

const DATES = /^(.*)Deprecated since (\d{4}-\d\d-\d\d), kept until (\d{4}-\d\d-\d\d)\.$/su;

/** A caller who reads the notes of each release has this long to change. */
const MONTHS_MIN = 6;

/** Lists the deprecations of an SDL that lack a replacement or an honest pair of dates, each as a sentence. */
export function deprecationFaults(sdl: string): string[] {
  const faults: string[] = [];
  const trail: string[] = [];
  visit(parse(sdl), {
    enter(node) {
      if (isElement(node)) trail.push(node.name.value);
      if (node.kind !== Kind.DIRECTIVE || node.name.value !== 'deprecated') return;
      const fault = faultOf(reasonOf(node as ConstDirectiveNode));
      if (fault) faults.push(`${trail.join('.')} ${fault}`);
    },
    leave(node) {
      if (isElement(node)) trail.pop();
    },
  });
  return faults;
}

type Element = ASTNode & { readonly name: { readonly value: string } };

/** True for the definition of a type, a field, an argument or an enum value. Only definitions are a part of a coordinate. */
const isElement = (node: ASTNode): node is Element => node.kind.endsWith('Definition');

function reasonOf({ arguments: given = [] }: ConstDirectiveNode): string {
  const value = given.find(({ name }) => name.value === 'reason')?.value;
  return value?.kind === Kind.STRING ? value.value : '';
}

function faultOf(reason: string): string | null {
  const [, replacement = '', since = '', until = ''] = DATES.exec(reason) ?? [];
  if (!since) return 'has no "Deprecated since YYYY-MM-DD, kept until YYYY-MM-DD." at its end.';
  if (!replacement.trim()) return 'names no replacement before its dates.';
  if (!isDay(since) || !isDay(until)) return 'has a date that is no day.';
  const soonest = new Date(since);
  soonest.setUTCMonth(soonest.getUTCMonth() + MONTHS_MIN);
  return new Date(until) < soonest ? `is kept for less than six months.` : null;
}

import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { isObject } from '../../../kernel/json.ts';
import { restName, wordOf } from '../names.ts';
import type { Json } from '../route.ts';

/** Shows a copy of input with the names and words of the paths. A body can repeat the shown value. */
export function showInput(type: GraphQLInputType, value: unknown): unknown {
  const nullable = getNullableType(type);
  if (isEnumType(nullable)) return typeof value === 'string' ? wordOf(nullable.name, value) : value;
  if (Array.isArray(value)) {
    const item = isListType(nullable) ? nullable.ofType : nullable;
    return value.map((each) => showInput(item, each));
  }
  return isInputObjectType(nullable) && isObject(value) ? showObject(nullable, value) : value;
}

function showObject(type: GraphQLInputObjectType, value: Json): Json {
  const fields = type.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const field = fields[name];
      return [restName(name), field ? showInput(field.type, each) : each];
    }),
  );
}

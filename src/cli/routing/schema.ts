import { buildASTSchema } from 'graphql';
import { readComposed } from '../../graph/federation/sdl.ts';
import { limitsIn } from '../../http/rest/input/input-limits.ts';
import { createInputSchemas, inputTypeIn } from '../../http/rest/json-schema.ts';
import { routingInputSchemas } from '../../modules/routing/index.ts';
import type { Json } from './file.ts';

/** Prints the description of a file, for editors and for checks in a repository. */
export function printSchema(): void {
  process.stdout.write(`${JSON.stringify(describeFile(), null, 2)}\n`);
}

/** Describes a file as JSON Schema. Its parts have the types and the limits that the API checks. */
export function describeFile(): Json {
  const graph = buildASTSchema(readComposed().api);
  const inputs = createInputSchemas(graph, (sentence) => sentence, limitsIn(graph, routingInputSchemas()), {
    nameOf: (name) => name,
    wordOf: (_, word) => word,
    placeOf: (name) => `#/$defs/${name}`,
  });
  const { rules, note } = inputs.members('CreateRoutingRuleSetVersionInput').properties;
  const { name } = inputs.members('CreateRoutingRuleSetInput').properties;
  const valueSet = inputs.ofGiven(inputTypeIn(graph, VALUE_SET));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: "A file of a merchant's routing rules",
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'The place of this description, for editors.' },
      ruleSet: { ...(name as Json), description: 'The name of the rule set, or its id.' },
      note,
      valueSets: { type: 'array', items: valueSet, description: 'The lists of values that rules share.' },
      rules,
    },
    required: ['ruleSet', 'rules'],
    additionalProperties: false,
    $defs: withNamesOf(inputs.components()),
  };
}

/** Adds the members that take names in place of ids. */
function withNamesOf(types: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      if (name === VALUE_SET) return [name, withId(type)];
      const alternative = ALTERNATIVES[name];
      return [name, alternative ? either(type, alternative) : type];
    }),
  );
}

const VALUE_SET = 'CreateRoutingValueSetInput';

/** Adds the id that a file needs for a value set whose name others have, too. */
const withId = (type: Json): Json => ({
  ...type,
  properties: {
    ...(type['properties'] as Json),
    id: { type: 'string', description: 'The id of a value set whose name others have, too.' },
  },
});

type Alternative = { readonly id: string; readonly name: string; readonly description: string };

const SERVICES: Alternative = {
  ...{ id: 'paymentServiceIds', name: 'paymentServices' },
  description: 'The display names or ids of 1 to 20 payment services, best first.',
};

const COMPARED: Alternative = {
  ...SERVICES,
  description: 'The display names or ids of 2 to 10 payment services.',
};

const ALTERNATIVES: Readonly<Record<string, Alternative>> = {
  RoutingServiceOrderInput: SERVICES,
  RoutingShareInput: SERVICES,
  RoutingBySuccessInput: COMPARED,
  RoutingByCostInput: COMPARED,
  RoutingPriceInput: {
    ...{ id: 'paymentServiceId', name: 'paymentService' },
    description: "The display name or the id of one of the action's payment services.",
  },
  RoutingSharedMetadataInput: {
    ...{ id: 'valueSetId', name: 'valueSet' },
    description: 'The name or the id of a value set of the kind TEXT.',
  },
};

function either(type: Json, { id, name, description }: Alternative): Json {
  const properties = type['properties'] as Readonly<Record<string, Json>>;
  const required = type['required'] as readonly string[];
  return {
    ...type,
    properties: { ...properties, [name]: { ...properties[id], description } },
    required: required.filter((each) => each !== id),
    oneOf: [{ required: [id] }, { required: [name] }],
  };
}

import { kubeTime } from '@karpenter/runtime';
import { jsonList, type JsonObject, objectIn, objectsAt, textAt, valueAt } from '../json/json.ts';
import type { Strategy } from '../resources/strategy.ts';
import { fill } from '../resources/strategies/pod-defaults.ts';
import { type FieldError, invalidValue, requiredAt } from '../status/field-error.ts';

const namesOf = (definition: JsonObject): JsonObject => objectIn(objectIn(definition, 'spec'), 'names');

const storageErrors = (definition: JsonObject): readonly FieldError[] => {
  const count = objectsAt(definition, 'spec.versions').filter(({ storage }) => storage === true).length;
  return count === 1
    ? []
    : [
        invalidValue(
          'spec.versions',
          objectsAt(definition, 'spec.versions').map((version) => textAt(version, 'name')),
          'must have exactly one version marked as storage version',
        ),
      ];
};

/** CustomResourceDefinitions: names are accepted and the definition is established as soon as it is stored. */
export const CRD_STRATEGY: Strategy = {
  defaults: (definition) => {
    const names = namesOf(definition);
    const kind = textAt(names, 'kind');
    fill(names, { listKind: `${kind}List`, singular: kind.toLowerCase() });
  },
  prepareCreate: (definition, context) => {
    const moment = kubeTime(context.nowMs);
    const stored = objectsAt(definition, 'spec.versions').filter(({ storage }) => storage === true);
    definition['status'] = {
      acceptedNames: { ...namesOf(definition) },
      storedVersions: stored.map((version) => textAt(version, 'name')),
      conditions: [
        { type: 'NamesAccepted', status: 'True', lastTransitionTime: moment, reason: 'NoConflicts', message: 'no conflicts found' },
        {
          type: 'Established',
          status: 'True',
          lastTransitionTime: moment,
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        },
      ],
    };
  },
  validate: (definition) => {
    const expected = `${textAt(definition, 'spec.names.plural')}.${textAt(definition, 'spec.group')}`;
    const name = textAt(definition, 'metadata.name');
    return [
      ...(name === expected ? [] : [invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
      ...(jsonList(valueAt(definition, 'spec.versions')).length === 0 ? [requiredAt('spec.versions')] : storageErrors(definition)),
      ...objectsAt(definition, 'spec.versions').flatMap((version, index) =>
        valueAt(version, 'schema.openAPIV3Schema') === undefined
          ? [requiredAt(`spec.versions[${index}].schema.openAPIV3Schema`, 'schemas are required')]
          : [],
      ),
    ];
  },
};

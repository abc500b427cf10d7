import { type JsonObject, objectsAt, textAt } from '../../json/json.ts';
import { duplicate, type FieldError, invalidValue, requiredAt } from '../../status/field-error.ts';
import { errorsOf, ifGiven, ifWritten, validName, isOneOf, inBounds } from '../../validation/checks.ts';
import { labelErrors } from '../../validation/metadata.ts';
import { nameProblems, qualifiedKeyProblems } from '../../validation/names.ts';
import { containerListErrors } from './container-validation.ts';

const LONGEST_SECONDS = 2 ** 31 - 1;

/**
 * What is wrong with a pod's spec as a whole, wherever it stands (`field` is its path). Of its structs `STRUCT_RULES`
 * says it.
 */
export const podSpecErrors = (spec: JsonObject, field: string): readonly FieldError[] => {
  const volumes = volumeFindings(spec, `${field}.volumes`);
  return [
    ...volumes.errors,
    ...(objectsAt(spec, 'containers').length === 0 ? [requiredAt(`${field}.containers`)] : []),
    ...['containers', 'initContainers'].flatMap((list) =>
      containerListErrors(spec, { list, at: `${field}.${list}`, volumes: volumes.names }),
    ),
    ...errorsOf(
      spec,
      {
        restartPolicy: [isOneOf('Always', 'OnFailure', 'Never')],
        dnsPolicy: [isOneOf('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None')],
        activeDeadlineSeconds: [ifGiven(inBounds(1, LONGEST_SECONDS, `must be between 1 and ${LONGEST_SECONDS}, inclusive`))],
        serviceAccountName: [ifWritten(validName('subdomain'))],
        nodeName: [ifWritten(validName('subdomain'))],
        priorityClassName: [ifWritten(validName('subdomain'))],
      },
      field,
    ),
    ...labelErrors(spec['nodeSelector'], `${field}.nodeSelector`),
    ...gateErrors(spec, `${field}.schedulingGates`),
    ...repeatedSpreads(spec, `${field}.topologySpreadConstraints`),
  ];
};

/** Errors of volumes, and the names that containers may mount: those of volumes without errors. */
const volumeFindings = (spec: JsonObject, at: string): { readonly errors: readonly FieldError[]; readonly names: ReadonlySet<string> } => {
  const names = new Set<string>();
  const errors = objectsAt(spec, 'volumes').flatMap((volume, index) => {
    const name = textAt(volume, 'name');
    const wrong = [
      ...(name === '' ? [] : nameProblems(name, 'label').map((words) => invalidValue(`${at}[${index}].name`, name, words))),
      ...(names.has(name) ? [duplicate(`${at}[${index}].name`, name)] : []),
    ];
    if (name !== '' && wrong.length === 0 && hasSource(volume)) names.add(name);
    return wrong;
  });
  return { errors, names };
};

const hasSource = (volume: JsonObject): boolean =>
  volume['persistentVolumeClaim'] === undefined || textAt(volume, 'persistentVolumeClaim.claimName') !== '';

const gateErrors = (spec: JsonObject, at: string): readonly FieldError[] =>
  objectsAt(spec, 'schedulingGates').flatMap((gate, index) => {
    const name = textAt(gate, 'name');
    return qualifiedKeyProblems(name).map((words) => invalidValue(`${at}[${index}]`, name, words));
  });

const repeatedSpreads = (spec: JsonObject, at: string): readonly FieldError[] => {
  const pairs = objectsAt(spec, 'topologySpreadConstraints').map(
    (one) => `{${textAt(one, 'topologyKey')}, ${textAt(one, 'whenUnsatisfiable')}}`,
  );
  return pairs.flatMap((pair, index) =>
    pairs.indexOf(pair, index + 1) > 0 ? [duplicate(`${at}[${index}].{topologyKey, whenUnsatisfiable}`, pair)] : [],
  );
};

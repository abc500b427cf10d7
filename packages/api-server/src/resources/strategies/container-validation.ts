import { type JsonObject, objectsAt, textAt } from '../../json/json.ts';
import { duplicate, type FieldError, invalidValue, requiredAt } from '../../status/field-error.ts';
import { errorsOf, ifGiven, isOneOf, repeatFinder } from '../../validation/checks.ts';
import { nameProblems } from '../../validation/names.ts';
import { resourceErrors } from './resource-validation.ts';

/** One list of containers of a pod's spec. */
export interface ContainerList {
  /** Its member: `containers` or `initContainers`. */
  readonly list: string;
  readonly at: string;
  /** Names of volumes that can be mounted. */
  readonly volumes: ReadonlySet<string>;
}

/** What is wrong with the containers of a list, and with them together. */
export const containerListErrors = (spec: JsonObject, { list, at, volumes }: ContainerList): readonly FieldError[] => {
  const isRepeated = repeatFinder();
  return [
    ...objectsAt(spec, list).flatMap((container, index) => {
      const name = textAt(container, 'name');
      const field = `${at}[${index}]`;
      return [
        ...(name !== '' && isRepeated(name) ? [duplicate(`${field}.name`, name)] : []),
        ...containerErrors(container, field),
        ...mountErrors(container, volumes, field),
      ];
    }),
    ...repeatedHostPorts(spec, list, at),
  ];
};

const containerErrors = (container: JsonObject, at: string): readonly FieldError[] => {
  const [name, image] = [textAt(container, 'name'), textAt(container, 'image')];
  return [
    ...(name === '' ? [] : nameProblems(name, 'label').map((words) => invalidValue(`${at}.name`, name, words))),
    ...(image === '' ? [requiredAt(`${at}.image`)] : []),
    ...(image === image.trim() ? [] : [invalidValue(`${at}.image`, image, 'must not have leading or trailing whitespace')]),
    ...errorsOf(
      container,
      {
        imagePullPolicy: [isOneOf('Always', 'IfNotPresent', 'Never')],
        restartPolicy: [ifGiven(isOneOf('Always', 'Never', 'OnFailure'))],
        terminationMessagePolicy: [isOneOf('File', 'FallbackToLogsOnError')],
      },
      at,
    ),
    ...resourceErrors(container, `${at}.resources`),
  ];
};

const mountErrors = (container: JsonObject, volumes: ReadonlySet<string>, at: string): readonly FieldError[] => {
  const isRepeated = repeatFinder();
  return objectsAt(container, 'volumeMounts').flatMap((mount, index) => {
    const [name, path] = [textAt(mount, 'name'), textAt(mount, 'mountPath')];
    const field = `${at}.volumeMounts[${index}]`;
    return [
      ...(volumes.has(name) ? [] : [{ reason: 'FieldValueNotFound' as const, field: `${field}.name`, value: name, detail: '' }]),
      ...(path !== '' && isRepeated(path) ? [invalidValue(`${field}.mountPath`, path, 'must be unique')] : []),
    ];
  });
};

const repeatedHostPorts = (spec: JsonObject, list: string, at: string): readonly FieldError[] => {
  const isRepeated = repeatFinder();
  return objectsAt(spec, list).flatMap((container, index) =>
    objectsAt(container, 'ports').flatMap((port, place) => {
      const hostPort = textAt(port, 'hostPort');
      if (hostPort === '' || hostPort === '0') return [];
      const id = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${hostPort}`;
      return isRepeated(id) ? [duplicate(`${at}[${index}].ports[${place}].hostPort`, id)] : [];
    }),
  );
};

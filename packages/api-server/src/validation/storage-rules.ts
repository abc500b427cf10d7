import { asRecord, isObject, type JsonObject, type JsonValue, textAt, valueAt } from '../json/json.ts';
import { inNanos } from '../quantity/quantity.ts';
import { builtInSchema } from '../schema/built-in-schemas.ts';
import { type FieldError, invalidValue, requiredAt, tooLong, unsupported } from '../status/field-error.ts';
import { errorsOf, eachOneOf, ifGiven, ifWritten, validName, isOneOf, present } from './checks.ts';
import { nameProblems } from './names.ts';

const ACCESS_MODES = eachOneOf('ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod');
const VOLUME_MODES = ifGiven(isOneOf('Block', 'Filesystem'));
const VOLUME_SPEC = builtInSchema('PersistentVolumeSpec');
const ABOVE_ZERO = 'must be greater than zero';

const sizeErrors = (size: string, at: string): readonly FieldError[] => (inNanos(size) > 0n ? [] : [invalidValue(at, size, ABOVE_ZERO)]);

/** What is wrong with a `PersistentVolumeClaimSpec`. */
export const claimSpecErrors = (spec: JsonObject, at: string): readonly FieldError[] => {
  const size = valueAt(spec, 'resources.requests.storage');
  const sized = `${at}.resources[storage]`;
  return [
    ...errorsOf(
      spec,
      {
        accessModes: [present('at least 1 access mode is required'), ACCESS_MODES],
        storageClassName: [ifWritten(validName('subdomain'))],
        volumeMode: [VOLUME_MODES],
      },
      at,
    ),
    ...(typeof size === 'string' ? sizeErrors(size, sized) : [requiredAt(sized)]),
  ];
};

/** What is wrong with a `PersistentVolumeSpec`. */
export const volumeSpecErrors = (spec: JsonObject, at: string): readonly FieldError[] => [
  ...errorsOf(
    spec,
    {
      accessModes: [present(), ACCESS_MODES],
      persistentVolumeReclaimPolicy: [ifWritten(isOneOf('Delete', 'Recycle', 'Retain'))],
      storageClassName: [ifWritten(validName('subdomain'))],
      volumeMode: [VOLUME_MODES],
    },
    at,
  ),
  ...capacityErrors(spec, `${at}.capacity`),
  ...(Object.keys(spec).every((member) => VOLUME_SPEC.ownMembers?.includes(member)) ? [requiredAt(at, 'must specify a volume type')] : []),
];

/** Go writes the entries of a map in the order of their keys. */
const inOrder = (map: JsonValue | undefined): JsonValue => (isObject(map) ? Object.fromEntries(Object.entries(map).sort()) : null);

const capacityErrors = (spec: JsonObject, at: string): readonly FieldError[] => {
  const capacity = asRecord(spec['capacity']);
  const { storage } = capacity;
  const isAlone = Object.keys(capacity).length === 1 && storage !== undefined;
  return [
    ...(Object.keys(capacity).length === 0 ? [requiredAt(at)] : []),
    ...(isAlone ? [] : [unsupported(at, inOrder(spec['capacity']), ['storage'])]),
    ...Object.entries(capacity).flatMap(([name, size]) =>
      typeof size === 'string'
        ? [
            ...(size.startsWith('-') ? [invalidValue(`${at}[${name}]`, size, 'must be greater than or equal to 0')] : []),
            ...sizeErrors(size, `${at}[${name}]`),
          ]
        : [],
    ),
  ];
};

const LONGEST_DRIVER = 63;

/** What is wrong with the name of a CSI driver in a member. */
export const driverErrors = (object: JsonObject, member: string, at: string): readonly FieldError[] => {
  const name = textAt(object, member);
  const field = `${at}.${member}`;
  if (name === '') return [requiredAt(field)];
  return [
    ...(name.length > LONGEST_DRIVER ? [tooLong(field, LONGEST_DRIVER)] : []),
    ...nameProblems(name.toLowerCase(), 'subdomain').map((words) => invalidValue(field, name, words)),
  ];
};

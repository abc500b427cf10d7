import type { User } from '../public/access.ts';
import { asRecord, isObject, jsonList, type JsonObject, type JsonValue, plainText, textAt } from '../json/json.ts';
import { objectBody } from '../schema/object-body.ts';
import { type FieldError, invalidValue } from '../status/field-error.ts';
import { badRequest, invalid } from '../status/refusals.ts';
import type { Gate } from './gate.ts';

interface Asked {
  readonly gate: Gate;
  readonly user: User;
  readonly spec: JsonObject;
}

/** A question that is posted, and answered without being stored. */
interface Review {
  readonly group: string;
  readonly kind: string;
  /** The status that answers. Throws an `ApiError` for a question that is none. */
  readonly answer: (asked: Asked) => JsonObject;
}

const AUTHORIZATION = 'authorization.k8s.io';
const AUTHENTICATION = 'authentication.k8s.io';

const refuse = (error: FieldError) => invalid({ group: AUTHORIZATION, plural: '', kind: '' }, '', [error]);

const isAllowed = (gate: Gate, user: User, spec: JsonObject): JsonObject => {
  const [resource, path] = [spec['resourceAttributes'], spec['nonResourceAttributes']];
  if (isObject(resource) && isObject(path)) {
    const shown = { Path: textAt(path, 'path'), Verb: textAt(path, 'verb') };
    throw refuse(invalidValue('spec.nonResourceAttributes', shown, 'cannot be specified in combination with resourceAttributes'));
  }
  if (isObject(path)) return { allowed: gate.allowsPath(user, textAt(path, 'verb'), textAt(path, 'path')) };
  if (isObject(resource)) return { allowed: gate.allows(user, attributesIn(resource)) };
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  throw refuse(invalidValue('spec.resourceAttributes', null, why));
};

const attributesIn = (asked: JsonObject) => {
  const text = (field: string): string | undefined => textAt(asked, field) || undefined;
  return {
    verb: textAt(asked, 'verb'),
    group: textAt(asked, 'group'),
    resource: [textAt(asked, 'resource'), text('subresource')].filter((part) => part !== undefined).join('/'),
    namespace: text('namespace'),
    name: text('name'),
  };
};

const RULE_LISTS = ['verbs', 'apiGroups', 'resources', 'resourceNames'];

/** Everything that a user may do in a namespace. */
const rulesAnswer: Review['answer'] = ({ gate, user, spec }) => {
  const rules = gate.rulesOf(user, textAt(spec, 'namespace'));
  const only = (rule: JsonObject, lists: readonly string[]): JsonObject =>
    Object.fromEntries(lists.filter((list) => rule[list] !== undefined).map((list) => [list, rule[list]]));
  return {
    resourceRules: rules.filter((rule) => rule['resources'] !== undefined).map((rule) => only(rule, RULE_LISTS)),
    nonResourceRules: rules.filter((rule) => rule['nonResourceURLs'] !== undefined).map((rule) => only(rule, ['verbs', 'nonResourceURLs'])),
    incomplete: false,
  };
};

const userInfo = ({ name, groups }: User): JsonObject => ({ username: name, groups: [...groups] });

const subjectAnswer: Review['answer'] = ({ gate, spec }) => {
  const [name, groups] = [textAt(spec, 'user'), jsonList(spec['groups']).map(plainText)];
  const status = isAllowed(gate, { name, groups }, spec);
  if (name === '' && groups.length === 0) throw refuse(invalidValue('spec.user', '', 'at least one of user or group must be specified'));
  return status;
};

const tokenAnswer: Review['answer'] = ({ gate, spec }) => {
  const token = textAt(spec, 'token');
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const user = gate.userOfToken(token);
  return user === undefined ? { user: {}, error: 'invalid bearer token' } : { authenticated: true, user: userInfo(user) };
};

const ALL: readonly Review[] = [
  { group: AUTHORIZATION, kind: 'SelfSubjectAccessReview', answer: ({ gate, user, spec }) => isAllowed(gate, user, spec) },
  { group: AUTHORIZATION, kind: 'SubjectAccessReview', answer: subjectAnswer },
  { group: AUTHORIZATION, kind: 'SelfSubjectRulesReview', answer: rulesAnswer },
  { group: AUTHENTICATION, kind: 'SelfSubjectReview', answer: ({ user }) => ({ userInfo: userInfo(user) }) },
  { group: AUTHENTICATION, kind: 'TokenReview', answer: tokenAnswer },
];

/** The resource that a review is posted to. */
const pluralOf = ({ kind }: Review): string => `${kind.toLowerCase()}s`;

const BY_PATH = new Map(ALL.map((review) => [`/apis/${review.group}/v1/${pluralOf(review)}`, review]));

/** The kinds of review that a group and version (`authorization.k8s.io/v1`) has. */
export const reviewKinds = (groupVersion: string): readonly string[] =>
  ALL.filter(({ group }) => `${group}/v1` === groupVersion).map(({ kind }) => kind);

/** Groups and versions that have reviews. */
export const REVIEW_VERSIONS: readonly string[] = [`${AUTHENTICATION}/v1`, `${AUTHORIZATION}/v1`];

/** Whether a path is that of a review: a question about who may do what, or who somebody is. */
export const isReview = (path: string): boolean => BY_PATH.has(path);

/**
 * The review with its answer as status; undefined when the path asks for none. Throws an `ApiError` for who may not
 * ask, and for what is no question.
 */
export const review = (
  path: string,
  body: JsonValue | undefined,
  { gate, user }: { readonly gate: Gate; readonly user: User },
): JsonObject | undefined => {
  const known = BY_PATH.get(path);
  if (known === undefined) return undefined;
  const { group, kind, answer } = known;
  gate.requireAllowed(user, { verb: 'create', group, resource: pluralOf(known), namespace: undefined, name: undefined });
  const object = objectBody(body, kind);
  const given = textAt(object, 'kind');
  if (given !== '' && given !== kind)
    throw badRequest(
      `${given} in version "v1" cannot be handled as a ${kind}: no kind "${given}" is registered for version "${group}/v1" in scheme "pkg/runtime/scheme.go:111"`,
    );
  const status = answer({ gate, user, spec: asRecord(object['spec']) });
  return { kind, apiVersion: `${group}/v1`, metadata: {}, ...object, status };
};

import type { User } from '../door/access.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { asObject } from '../json/json.ts';
import { textAt } from '../json/value-at.ts';
import type { Gate } from './gate.ts';

type Review = (gate: Gate, user: User, spec: JsonObject) => JsonObject;

const accessReview: Review = (gate, user, spec) => {
  const asked = asObject(spec['resourceAttributes']);
  const text = (field: string): string | undefined => textAt(asked, field) || undefined;
  const resource = [textAt(asked, 'resource'), text('subresource')].filter((part) => part !== undefined).join('/');
  const attributes = {
    verb: textAt(asked, 'verb'),
    group: textAt(asked, 'group'),
    resource,
    namespace: text('namespace'),
    name: text('name'),
  };
  return { allowed: gate.allows(user, attributes) };
};

const selfReview: Review = (_gate, { name, groups }) => ({ userInfo: { username: name, groups: [...groups] } });

const REVIEWS: Readonly<Record<string, Review>> = {
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews': accessReview,
  '/apis/authentication.k8s.io/v1/selfsubjectreviews': selfReview,
};

/** Whether a body posted to a path that names no resource is a question about the person who asks. */
export const isReview = (path: string): boolean => REVIEWS[path] !== undefined;

/** The review with its answer as status; undefined when the path asks for none. */
export const review = (
  path: string,
  body: JsonValue | undefined,
  { gate, user }: { readonly gate: Gate; readonly user: User },
): JsonObject | undefined => {
  const object = asObject(body);
  const status = REVIEWS[path]?.(gate, user, asObject(object['spec']));
  return status === undefined ? undefined : { ...object, status };
};

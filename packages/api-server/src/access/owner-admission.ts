import type { KubeOwnerReference } from '@karpenter/runtime';
import type { Registry } from '../engine/registry.ts';
import { asRecord, jsonEqual, jsonList, type JsonObject, type JsonValue } from '../json/json.ts';
import type { PolicyGate } from '../policies/admit.ts';
import type { AdmissionRequest } from '../policies/match-resources.ts';
import type { ApiError } from '../status/api-error.ts';
import { forbidden } from '../status/refusals.ts';
import type { Attributes } from './attributes.ts';
import type { Gate } from './gate.ts';

/** Who may do what, and which resources there are to do it to. */
interface Authority {
  readonly gate: Gate;
  readonly registry: Registry;
}

const refused = ({ resource, name }: AdmissionRequest, why: string): ApiError => forbidden(resource, name, { why });

const ownersIn = (object: JsonObject | undefined): readonly JsonValue[] => jsonList(asRecord(object?.['metadata'])['ownerReferences']);

const blockingOwnersIn = (object: JsonObject | undefined): readonly KubeOwnerReference[] =>
  ownersIn(object)
    .map((owner) => asRecord(owner) as unknown as KubeOwnerReference)
    .filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true);

/** The access to the object itself: who sets an owner must be allowed to delete it. */
const deletionOf = ({ resource, subresource, name, namespace }: AdmissionRequest): Attributes => {
  const { group, plural } = resource;
  return { verb: 'delete', group, resource: subresource === undefined ? plural : `${plural}/${subresource}`, namespace, name };
};

/** The access to an owner: `blockOwnerDeletion` holds up its deletion, as a finalizer does. */
const finalizersOf = ({ apiVersion, kind, name }: KubeOwnerReference, request: AdmissionRequest, registry: Registry): Attributes => {
  const owner = registry.byKind({ apiVersion, kind });
  if (owner === undefined) {
    const missing = `cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind "${kind}" in version "${apiVersion}"`;
    throw refused(request, `cannot set blockOwnerDeletion in this case because ${missing}`);
  }
  const namespace = owner.namespaced ? request.namespace : undefined;
  return { verb: 'update', group: owner.group, resource: `${owner.plural}/finalizers`, namespace, name };
};

const judge = (request: AdmissionRequest, { gate, registry }: Authority): void => {
  const { operation, resource, subresource, object, oldObject, user } = request;
  if (operation === 'DELETE' || (resource.storage === 'pods' && subresource === 'status')) return;
  if (jsonEqual([...ownersIn(object)], [...ownersIn(oldObject)])) return;
  if (operation === 'UPDATE' && !gate.asks(user, deletionOf(request)))
    throw refused(request, "cannot set an ownerRef on a resource you can't delete: , <nil>");
  const before = new Set(blockingOwnersIn(oldObject).map(({ uid }) => uid));
  for (const owner of blockingOwnersIn(object).filter(({ uid }) => !before.has(uid))) {
    if (!gate.asks(user, finalizersOf(owner, request, registry)))
      throw refused(
        request,
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>",
      );
  }
};

/**
 * A gate that also holds owner references to the rights of the one who writes them, before its policies speak: the
 * admission plugin OwnerReferencesPermissionEnforcement. Source: kubernetes.io, "Admission Control in Kubernetes"; the
 * texts are those of kube-apiserver 1.35.
 */
export const withOwnerAdmission = (policies: PolicyGate, authority: Authority): PolicyGate => ({
  admit: (request, warn) => {
    judge(request, authority);
    policies.admit(request, warn);
  },
});

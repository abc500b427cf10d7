import type { Engine } from '../engine/engine.ts';
import { asRecord, jsonList, type JsonObject, textAt } from '../json/json.ts';
import { ApiError, type ApiErrorCode } from '../status/api-error.ts';
import { forbidden } from '../status/refusals.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';
import { type AdmissionRequest, matchesResources } from './match-resources.ts';
import { type Denial, evaluatePolicy } from './evaluate-policy.ts';
import { celErrorText, type CelPrograms, createCelPrograms } from '../crd/cel-programs.ts';

/** Lets the admission policies of a cluster speak about writes. */
export interface PolicyGate {
  /**
   * Throws an `ApiError` when a policy denies the request; `warn` gets what bindings only warn of. Cost without
   * policies: one lookup.
   */
  admit(request: AdmissionRequest, warn: (text: string) => void): void;
}

const GROUP = 'admissionregistration.k8s.io';

const specOf = (object: StoredObject): JsonObject => asRecord(asJson(object)['spec']);

const REASONS: ReadonlySet<string> = new Set<ApiErrorCode>(['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge']);

const refusalOf = ({ resource, name }: AdmissionRequest, text: string, reason: string): ApiError => {
  const code = REASONS.has(reason) ? (reason as ApiErrorCode) : 'Invalid';
  const { message, details } = forbidden(resource, name, { why: text });
  if (code !== 'Invalid') return new ApiError(code, message, details);
  const causes = [{ reason: 'FieldValueInvalid', message: text }];
  return new ApiError(code, message.replace('is forbidden:', 'is invalid: :'), { ...details, causes });
};

interface Verdict {
  readonly binding: StoredObject;
  readonly denials: readonly Denial[];
}

/**
 * The gate of a server. `Differs:` policies with parameters are refused when they are created, since nothing here binds
 * parameters.
 */
export const createPolicyGate = (engine: Engine): PolicyGate => {
  const programs: CelPrograms = createCelPrograms();
  const judge = (policy: StoredObject, request: AdmissionRequest): readonly Denial[] => {
    const spec = specOf(policy);
    try {
      return evaluatePolicy({ engine, programs }, spec, request);
    } catch (error) {
      return spec['failurePolicy'] === 'Ignore'
        ? []
        : [{ message: `expression resulted in error: ${celErrorText(error)}`, reason: 'Invalid' }];
    }
  };
  const verdictsOf = (policy: StoredObject, bindings: readonly StoredObject[], request: AdmissionRequest): readonly Verdict[] => {
    const bound = bindings.filter(
      (binding) =>
        textAt(binding, 'spec.policyName') === policy.metadata.name &&
        matchesResources(engine, asRecord(specOf(binding)['matchResources']), request),
    );
    if (bound.length === 0 || !matchesResources(engine, asRecord(specOf(policy)['matchConstraints']), request)) return [];
    const denials = judge(policy, request);
    return bound.map((binding) => ({ binding, denials }));
  };
  return {
    admit: (request, warn) => {
      const policies = engine.list(`validatingadmissionpolicies.${GROUP}`);
      if (policies.length === 0 || request.resource.group === GROUP) return;
      const bindings = engine.list(`validatingadmissionpolicybindings.${GROUP}`);
      for (const policy of policies) {
        for (const { binding, denials } of verdictsOf(policy, bindings, request)) {
          const by = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}' denied request: `;
          const actions = jsonList(specOf(binding)['validationActions']);
          for (const { message, reason } of denials) {
            if (actions.includes('Deny')) throw refusalOf(request, `${by}${message}`, reason);
            if (actions.includes('Warn')) warn(`Validation failed for ${by.replace(' denied request: ', '')}: ${message}`);
          }
        }
      }
    },
  };
};

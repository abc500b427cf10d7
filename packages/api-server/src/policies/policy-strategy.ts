import { jsonList, type JsonObject, type JsonValue, objectsAt, plainText, textAt, valueAt } from '../json/json.ts';
import type { Strategy } from '../resources/strategy.ts';
import { type FieldError, forbiddenField, invalidValue, requiredAt, unsupported } from '../status/field-error.ts';
import { createCelPrograms } from '../crd/cel-programs.ts';

const programs = createCelPrograms();

const expressionErrors = (policy: JsonObject, field: string): readonly FieldError[] =>
  objectsAt(policy, `spec.${field}`).flatMap((item, index) => {
    const expression = textAt(item, 'expression');
    const problem = programs.problemOf(expression);
    return problem === undefined ? [] : [invalidValue(`spec.${field}[${index}].expression`, expression, `compilation failed: ${problem}`)];
  });

/** ValidatingAdmissionPolicies: each expression is compiled when the policy is stored. */
export const POLICY_STRATEGY: Strategy = {
  validate: (policy) => [
    ...(valueAt(policy, 'spec.matchConstraints') === undefined ? [requiredAt('spec.matchConstraints')] : []),
    ...(objectsAt(policy, 'spec.validations').length === 0 ? [requiredAt('spec.validations')] : []),
    ...(valueAt(policy, 'spec.paramKind') === undefined ? [] : [forbiddenField('spec.paramKind', 'this server binds no parameters')]),
    ...['matchConditions', 'variables', 'validations'].flatMap((field) => expressionErrors(policy, field)),
  ],
};

const ACTIONS = ['Audit', 'Deny', 'Warn'];

const actionErrors = (actions: readonly JsonValue[]): readonly FieldError[] =>
  actions.length === 0
    ? [requiredAt('spec.validationActions', 'at least one validation action is required')]
    : actions.flatMap((action, index) =>
        ACTIONS.includes(plainText(action)) ? [] : [unsupported(`spec.validationActions[${index}]`, action, ACTIONS)],
      );

/** ValidatingAdmissionPolicyBindings. */
export const POLICY_BINDING_STRATEGY: Strategy = {
  validate: (binding) => [
    ...(textAt(binding, 'spec.policyName') === '' ? [requiredAt('spec.policyName')] : []),
    ...actionErrors(jsonList(valueAt(binding, 'spec.validationActions'))),
  ],
};

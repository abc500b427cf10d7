import type { Engine } from '../engine/engine.ts';
import { type CelPrograms, celValue, type CelVariables } from '../crd/cel-programs.ts';
import { asJson } from '../store/stored-object.ts';
import { type JsonObject, objectsAt, textAt } from '../json/json.ts';
import { type AdmissionRequest, requestValue } from './match-resources.ts';

/** Why a policy does not let a request pass. */
export interface Denial {
  readonly message: string;
  /** Of the Status that refuses: `Invalid`, `Forbidden`, … */
  readonly reason: string;
}

/** `variables.x` is worked out when an expression first asks for it, and once. */
const withComposed = (variables: CelVariables, spec: JsonObject, programs: CelPrograms): CelVariables => {
  const composed: Record<string, unknown> = {};
  const all = { ...variables, variables: composed };
  for (const variable of objectsAt(spec, 'variables')) {
    let known: { readonly value: unknown } | undefined;
    Object.defineProperty(composed, textAt(variable, 'name'), {
      enumerable: true,
      get: () => (known ??= { value: programs.evaluate(textAt(variable, 'expression'), all) }).value,
    });
  }
  return all;
};

const variablesOf = (engine: Engine, request: AdmissionRequest): CelVariables => {
  const { resource, object, oldObject, namespace } = request;
  const held = namespace === undefined ? undefined : engine.get('namespaces', namespace);
  return {
    object: object === undefined ? null : celValue(object, resource.schema),
    oldObject: oldObject === undefined ? null : celValue(oldObject, resource.schema),
    request: celValue(requestValue(request), undefined),
    namespaceObject: held === undefined ? null : celValue(asJson(held), undefined),
    params: null,
  };
};

const messageOf = (validation: JsonObject, variables: CelVariables, programs: CelPrograms): string => {
  const expression = textAt(validation, 'messageExpression');
  const worded = expression === '' ? '' : programs.evaluate(expression, variables);
  if (typeof worded === 'string' && worded !== '') return worded;
  return textAt(validation, 'message') || `failed expression: ${textAt(validation, 'expression').trim()}`;
};

/**
 * What the validations of a policy say to a request; empty when it may pass, or when a match condition does not hold.
 * Throws what CEL throws.
 */
export const evaluatePolicy = (
  { engine, programs }: { readonly engine: Engine; readonly programs: CelPrograms },
  spec: JsonObject,
  request: AdmissionRequest,
): readonly Denial[] => {
  const variables = withComposed(variablesOf(engine, request), spec, programs);
  const holds = (object: JsonObject): boolean => programs.evaluate(textAt(object, 'expression'), variables) === true;
  if (!objectsAt(spec, 'matchConditions').every(holds)) return [];
  return objectsAt(spec, 'validations')
    .filter((validation) => !holds(validation))
    .map((validation) => ({ message: messageOf(validation, variables, programs), reason: textAt(validation, 'reason') || 'Invalid' }));
};

import type { JsonObject } from '../../json/json.ts';
import { asRecord } from '../../json/json.ts';
import { objectIn, objectsAt, textAt, valueAt } from '../../json/value-at.ts';
import type { FieldError } from '../../status/field-error.ts';
import { invalidValue, requiredAt, unsupported } from '../../status/field-error.ts';
import { asJson } from '../../store/stored-object.ts';
import type { Strategy } from '../strategy.ts';
import { fill } from './pod-defaults.ts';

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];

const pathErrors = (path: JsonObject, at: string): readonly FieldError[] => {
  const [type, value] = [textAt(path, 'pathType'), textAt(path, 'path')];
  if (type === '') return [requiredAt(`${at}.pathType`, 'pathType must be specified')];
  if (!PATH_TYPES.includes(type)) return [unsupported(`${at}.pathType`, type, PATH_TYPES)];
  return type === 'ImplementationSpecific' || value.startsWith('/') ? [] : [invalidValue(`${at}.path`, value, 'must be an absolute path')];
};

/** Ingresses. */
export const INGRESS_STRATEGY: Strategy = {
  prepareCreate: (ingress) => {
    ingress['status'] = { loadBalancer: {} };
  },
  validate: (ingress) =>
    objectsAt(ingress, 'spec.rules').flatMap((rule, index) =>
      objectsAt(rule, 'http.paths').flatMap((path, place) => pathErrors(path, `spec.rules[${index}].http.paths[${place}]`)),
    ),
};

/** EndpointSlices. */
export const ENDPOINT_SLICE_STRATEGY: Strategy = {
  defaults: (slice) => {
    for (const port of objectsAt(slice, 'ports')) fill(port, { name: '', protocol: 'TCP' });
  },
};

/** HorizontalPodAutoscalers: without a metric they aim at 80 % of the requested cpu. */
export const AUTOSCALER_STRATEGY: Strategy = {
  countsGeneration: false,
  defaults: (autoscaler) => {
    const target = { type: 'Utilization', averageUtilization: 80 };
    fill(objectIn(autoscaler, 'spec'), { minReplicas: 1, metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] });
  },
  validate: (autoscaler) => {
    const [least, most] = [Number(valueAt(autoscaler, 'spec.minReplicas')), Number(valueAt(autoscaler, 'spec.maxReplicas'))];
    const field = 'spec.maxReplicas';
    if (most < 1) return [invalidValue(field, most, 'must be greater than 0')];
    return most < least ? [invalidValue(field, most, 'must be greater than or equal to `minReplicas`')] : [];
  },
};

/** CertificateSigningRequests: an update keeps the spec. */
export const SIGNING_REQUEST_STRATEGY: Strategy = {
  countsGeneration: false,
  nameRule: 'path',
  prepareUpdate: (next, previous) => {
    next['spec'] = asRecord(asJson(previous)['spec']);
  },
};

import { asRecord, type JsonObject, objectsAt, textAt, valueAt } from '../../json/json.ts';
import { type FieldError, invalidValue, requiredAt, unsupported } from '../../status/field-error.ts';
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

/** What stands before workloads and scales them. */
export const SERVING_STRATEGIES: Readonly<Record<string, Strategy>> = {
  /** Ingresses. */
  Ingress: {
    validate: (ingress) =>
      objectsAt(ingress, 'spec.rules').flatMap((rule, index) =>
        objectsAt(rule, 'http.paths').flatMap((path, place) => pathErrors(path, `spec.rules[${index}].http.paths[${place}]`)),
      ),
  },
  EndpointSlice: {
    defaults: (slice) => {
      for (const port of objectsAt(slice, 'ports')) fill(port, { name: '', protocol: 'TCP' });
    },
  },
  HorizontalPodAutoscaler: {
    validate: (autoscaler) => {
      const [least, most] = [Number(valueAt(autoscaler, 'spec.minReplicas')), Number(valueAt(autoscaler, 'spec.maxReplicas'))];
      const field = 'spec.maxReplicas';
      if (most < 1) return [invalidValue(field, most, 'must be greater than 0')];
      return most < least ? [invalidValue(field, most, 'must be greater than or equal to `minReplicas`')] : [];
    },
  },
  /** CertificateSigningRequests: an update keeps the spec. */
  CertificateSigningRequest: {
    prepareUpdate: (next, previous) => {
      next['spec'] = asRecord(asJson(previous)['spec']);
    },
  },
};

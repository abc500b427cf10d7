import type { JsonObject } from '../../json/json.ts';
import { jsonEqual } from '../../json/equal.ts';
import { objectsAt, valueAt } from '../../json/value-at.ts';
import { invalidValue } from '../../status/field-error.ts';
import type { Strategy } from '../strategy.ts';
import { fill } from './pod-defaults.ts';

/** A request without a count requests one device. */
const fillRequest = (request: JsonObject): void => {
  fill(request, { allocationMode: 'ExactCount' });
  if (request['allocationMode'] === 'ExactCount') fill(request, { count: 1 });
  for (const toleration of objectsAt(request, 'tolerations')) fill(toleration, { operator: 'Equal' });
};

const fillRequests =
  (at: string) =>
  (object: JsonObject): void => {
    for (const request of objectsAt(object, `${at}.devices.requests`)) {
      const exactly = valueAt(request, 'exactly');
      const exact = typeof exactly === 'object' && exactly !== null ? [exactly as JsonObject] : [];
      for (const each of [...exact, ...objectsAt(request, 'firstAvailable')]) fillRequest(each);
    }
  };

const frozenSpec: NonNullable<Strategy['validateUpdate']> = (next, previous) =>
  jsonEqual(valueAt(next, 'spec'), valueAt(previous, 'spec')) ? [] : [invalidValue('spec', valueAt(next, 'spec'), 'field is immutable')];

/** ResourceClaims. */
export const DEVICE_CLAIM_STRATEGY: Strategy = { countsGeneration: false, defaults: fillRequests('spec'), validateUpdate: frozenSpec };

/** ResourceClaimTemplates. */
export const DEVICE_CLAIM_TEMPLATE_STRATEGY: Strategy = {
  countsGeneration: false,
  defaults: (object) => {
    const spec = valueAt(object, 'spec');
    if (typeof spec === 'object' && spec !== null) fill(spec as JsonObject, { metadata: {} });
    fillRequests('spec.spec')(object);
  },
  validateUpdate: frozenSpec,
};

import { type JsonObject, objectsAt, valueAt } from '../../json/json.ts';
import type { Strategy } from '../strategy.ts';
import { fill } from './pod-defaults.ts';
import { unchanged } from '../../validation/checks.ts';

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

/** Claims of devices. */
export const DEVICE_STRATEGIES: Readonly<Record<string, Strategy>> = {
  ResourceClaim: { defaults: fillRequests('spec'), validateUpdate: unchanged('spec') },
  ResourceClaimTemplate: {
    defaults: (object) => {
      const spec = valueAt(object, 'spec');
      if (typeof spec === 'object' && spec !== null) fill(spec as JsonObject, { metadata: {} });
      fillRequests('spec.spec')(object);
    },
    validateUpdate: unchanged('spec'),
  },
};

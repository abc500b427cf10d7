import { asRecord, type JsonObject, objectsAt, valueAt } from '../../json/json.ts';
import { inNanos } from '../../quantity/quantity.ts';

const guaranteed = (container: JsonObject): boolean => {
  const limits = asRecord(valueAt(container, 'resources.limits'));
  const requests = asRecord(valueAt(container, 'resources.requests'));
  return ['cpu', 'memory'].every((name) => inNanos(limits[name]) > 0n && inNanos(limits[name]) === inNanos(requests[name] ?? limits[name]));
};

const bestEffort = (container: JsonObject): boolean =>
  ['limits', 'requests'].every((part) => {
    const amounts = asRecord(valueAt(container, `resources.${part}`));
    return ['cpu', 'memory'].every((name) => inNanos(amounts[name]) === 0n);
  });

/** The quality-of-service class that a pod's requests and limits give it. */
export const qosClassOf = (spec: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' => {
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  if (containers.every(bestEffort)) return 'BestEffort';
  return containers.every(guaranteed) ? 'Guaranteed' : 'Burstable';
};

import { jsonList } from '../json/json.ts';
import { plainText } from '../json/plain-text.ts';
import { objectsAt, textAt, valueAt } from '../json/value-at.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { TableColumn } from './column.ts';
import { column } from './column.ts';
import { AGE, countColumn, NAME, textColumn } from './shared-columns.ts';

/** How many items kubectl shows of a list before it says how many more there are. */
const SHOWN = 3;

const shortList = (items: readonly string[]): string => {
  if (items.length === 0) return '<unset>';
  const more = items.length > SHOWN ? ` + ${items.length - SHOWN} more...` : '';
  return `${items.slice(0, SHOWN).join(',')}${more}`;
};

const hostsOf = (ingress: StoredObject): string => {
  const hosts = objectsAt(ingress, 'spec.rules').map((rule) => textAt(rule, 'host') || '*');
  return hosts.length === 0 ? '*' : shortList(hosts);
};

const conditionsOf = (request: StoredObject): string =>
  objectsAt(request, 'status.conditions')
    .map((condition) => textAt(condition, 'type'))
    .join(',') || 'Pending';

const targetsOf = (autoscaler: StoredObject): string =>
  objectsAt(autoscaler, 'spec.metrics')
    .map((metric, index) => {
      const name = textAt(metric, 'resource.name');
      const current = textAt(objectsAt(autoscaler, 'status.currentMetrics')[index], 'resource.current.averageUtilization');
      return `${name}: ${current === '' ? '<unknown>' : `${current}%`}/${textAt(metric, 'resource.target.averageUtilization')}%`;
    })
    .join(', ');

const SECONDS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

const durationOf = (request: StoredObject): string => {
  const seconds = valueAt(request, 'spec.expirationSeconds');
  if (typeof seconds !== 'number') return '<none>';
  const [unit, size] = SECONDS.find(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
};

/**
 * Columns of ingresses, endpoint slices, autoscalers and certificate requests, by kind. Source: Kubernetes,
 * `pkg/printers/internalversion`.
 */
export const SERVING_COLUMNS: Readonly<Record<string, readonly TableColumn[]>> = {
  Ingress: [
    NAME,
    textColumn('Class', 'spec.ingressClassName', '<none>'),
    column('Hosts', hostsOf),
    column('Address', (ingress) =>
      objectsAt(ingress, 'status.loadBalancer.ingress')
        .map((each) => textAt(each, 'ip') || textAt(each, 'hostname'))
        .join(','),
    ),
    column('Ports', (ingress) => (objectsAt(ingress, 'spec.tls').length > 0 ? '80, 443' : '80')),
    AGE,
  ],
  EndpointSlice: [
    NAME,
    textColumn('AddressType', 'addressType'),
    column('Ports', (slice) => shortList(objectsAt(slice, 'ports').map((port) => textAt(port, 'port')))),
    column('Endpoints', (slice) =>
      shortList(objectsAt(slice, 'endpoints').flatMap((endpoint) => jsonList(endpoint['addresses']).map(plainText))),
    ),
    AGE,
  ],
  HorizontalPodAutoscaler: [
    NAME,
    column('Reference', (autoscaler) => {
      const { kind, name } = { kind: textAt(autoscaler, 'spec.scaleTargetRef.kind'), name: textAt(autoscaler, 'spec.scaleTargetRef.name') };
      return `${kind}/${name}`;
    }),
    column('Targets', targetsOf),
    countColumn('MinPods', 'spec.minReplicas'),
    countColumn('MaxPods', 'spec.maxReplicas'),
    countColumn('Replicas', 'status.currentReplicas'),
    AGE,
  ],
  CertificateSigningRequest: [
    NAME,
    AGE,
    textColumn('SignerName', 'spec.signerName'),
    textColumn('Requestor', 'spec.username'),
    column('RequestedDuration', durationOf),
    column('Condition', conditionsOf),
  ],
};

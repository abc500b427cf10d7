import type { Shape } from '../../base/index.ts';
import {
  claimSpecShape,
  claimStatusShape,
  deviceClassSpecShape,
  dynamicResourcesShape,
  labelSelectorShape,
  nodeTermsShape,
  podPlaceShape,
  resourceSliceSpecShape,
} from '../../kube/index.ts';

const texts: Shape = { list: 'text' };
const labels: Shape = { record: 'text' };
const amounts: Shape = { record: 'amount' };
const taints: Shape = { list: { fields: { key: 'text', value: 'text', effect: 'text' }, needs: ['key', 'effect'] } };
const conditions: Shape = { list: { fields: { type: 'text', status: 'text', reason: 'text' } } };

const resources: Shape = { fields: { requests: amounts, limits: amounts } };
const containerStatuses: Shape = { list: { fields: { name: 'text', resources, allocatedResources: amounts }, needs: ['name'] } };

const meta = {
  name: 'text',
  namespace: 'text',
  uid: 'text',
  creationTimestamp: 'text',
  deletionTimestamp: 'text',
  labels,
  annotations: labels,
  ownerReferences: { list: { fields: { apiVersion: 'text', kind: 'text', name: 'text', uid: 'text' } } },
} as const satisfies Readonly<Record<string, Shape>>;
const metadata: Shape = { fields: meta, needs: ['name'] };

const object = (fields: Readonly<Record<string, Shape>>, ...needs: readonly string[]): Shape => ({
  fields: { metadata, ...fields },
  needs: ['metadata', ...needs],
});

/** What a pod of plain data has to be, but for what is judged where it asks for a place. */
export const podShape: Shape = {
  fields: {
    metadata: { fields: meta },
    spec: podPlaceShape,
    status: {
      fields: {
        phase: 'text',
        conditions,
        containerStatuses,
        initContainerStatuses: containerStatuses,
        resources,
        allocatedResources: amounts,
      },
    },
  },
};

/** What a NodePool has to be for its content to be judged. */
export const nodePoolShape = object(
  {
    spec: {
      fields: {
        limits: amounts,
        weight: 'number',
        replicas: 'number',
        template: {
          fields: {
            metadata: { fields: { labels, annotations: labels } },
            spec: {
              fields: {
                requirements: { list: { fields: { key: 'text', operator: 'text', values: texts }, needs: ['key'] } },
                taints,
                startupTaints: taints,
                nodeClassRef: { fields: { group: 'text', kind: 'text', name: 'text' }, needs: ['group', 'kind', 'name'] },
                expireAfter: 'text',
                terminationGracePeriod: 'text',
              },
              needs: ['requirements', 'nodeClassRef'],
            },
          },
          needs: ['spec'],
        },
        disruption: {
          fields: {
            consolidateAfter: 'text',
            budgets: { list: { fields: { nodes: 'text', reasons: texts, schedule: 'text', duration: 'text' }, needs: ['nodes'] } },
          },
        },
      },
      needs: ['template'],
    },
  },
  'spec',
);

const drivers: Shape = { list: { fields: { name: 'text', allocatable: { fields: { count: 'number' } } }, needs: ['name'] } };

/** What a size of machine has to be. */
export const instanceTypeShape: Shape = {
  fields: {
    name: 'text',
    capacity: amounts,
    overhead: amounts,
    pricePerHour: { record: 'number' },
    zones: texts,
    labels,
    dynamicResources: dynamicResourcesShape,
  },
  needs: ['name', 'capacity', 'pricePerHour'],
};

const equality: Shape = object({ spec: { fields: { selector: labels } } });
const selecting: Shape = object({ spec: { fields: { selector: labelSelectorShape } } });

/** What the other objects have to be, by their kinds. */
export const shapesByKind = {
  Node: object({
    spec: { fields: { taints } },
    status: { fields: { capacity: amounts, allocatable: amounts, conditions } },
  }),
  DaemonSet: object({ spec: { fields: { template: { fields: { spec: podPlaceShape }, needs: ['spec'] } }, needs: ['template'] } }, 'spec'),
  PodDisruptionBudget: object(
    { spec: { fields: { selector: labelSelectorShape, minAvailable: 'amount', maxUnavailable: 'amount' } } },
    'spec',
  ),
  PodGroup: object({ spec: { fields: { minMember: 'number' } } }),
  Namespace: object({}),
  PersistentVolumeClaim: object({
    spec: { fields: { storageClassName: 'text', volumeName: 'text', accessModes: texts } },
    status: { fields: { phase: 'text' } },
  }),
  PersistentVolume: object({
    spec: {
      fields: {
        csi: { fields: { driver: 'text' }, needs: ['driver'] },
        nodeAffinity: { fields: { required: { fields: { nodeSelectorTerms: nodeTermsShape }, needs: ['nodeSelectorTerms'] } } },
      },
    },
  }),
  StorageClass: object(
    {
      provisioner: 'text',
      volumeBindingMode: 'text',
      allowedTopologies: {
        list: { fields: { matchLabelExpressions: { list: { fields: { key: 'text', values: texts }, needs: ['key', 'values'] } } } },
      },
    },
    'provisioner',
  ),
  CSINode: object({ spec: { fields: { drivers } } }),
  DeviceClass: object({ spec: deviceClassSpecShape }, 'spec'),
  ResourceClaim: object({ spec: claimSpecShape, status: claimStatusShape }, 'spec'),
  ResourceClaimTemplate: object({ spec: { fields: { spec: claimSpecShape }, needs: ['spec'] } }, 'spec'),
  ResourceSlice: object({ spec: resourceSliceSpecShape }, 'spec'),
  Service: equality,
  ReplicationController: equality,
  ReplicaSet: selecting,
  StatefulSet: selecting,
} as const satisfies Readonly<Record<string, Shape>>;

import type { Shape } from '../../base/index.ts';

const texts: Shape = { list: 'text' };
const expressions: Shape = { list: { fields: { key: 'text', operator: 'text', values: texts }, needs: ['key'] } };
/** What the parts of a label selector have to be. */
export const labelSelectorShape: Shape = { fields: { matchLabels: { record: 'text' }, matchExpressions: expressions } };
const nodeTerm: Shape = { fields: { matchExpressions: expressions, matchFields: expressions } };

const podTerm: Shape = {
  fields: {
    topologyKey: 'text',
    labelSelector: labelSelectorShape,
    namespaces: texts,
    namespaceSelector: labelSelectorShape,
    matchLabelKeys: texts,
    mismatchLabelKeys: texts,
  },
};

const nodeAffinity: Shape = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: { fields: { nodeSelectorTerms: { list: nodeTerm } } },
    preferredDuringSchedulingIgnoredDuringExecution: { list: { fields: { weight: 'number', preference: nodeTerm } } },
  },
};

const podAffinity: Shape = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: { list: podTerm },
    preferredDuringSchedulingIgnoredDuringExecution: { list: { fields: { weight: 'number', podAffinityTerm: podTerm } } },
  },
};

const amounts: Shape = { record: 'amount' };
const resources: Shape = { fields: { requests: amounts, limits: amounts } };
const ports: Shape = { list: { fields: { hostPort: 'number', hostIP: 'text', protocol: 'text' } } };
const containers: Shape = { list: { fields: { resources, ports, restartPolicy: 'text' } } };

/** What the containers of a pod's spec have to be, as far as scheduling reads them. */
export const podContainersShape: Shape = { fields: { containers, initContainers: containers }, needs: ['containers'] };

/** The same of what is said outside of the containers; volumes have a shape of their own. */
export const podFrameShape: Shape = {
  fields: {
    resources,
    overhead: amounts,
    nodeSelector: { record: 'text' },
    affinity: { fields: { nodeAffinity, podAffinity, podAntiAffinity: podAffinity } },
    tolerations: { list: { fields: { key: 'text', operator: 'text', value: 'text', effect: 'text' } } },
    topologySpreadConstraints: {
      list: {
        fields: {
          maxSkew: 'number',
          topologyKey: 'text',
          whenUnsatisfiable: 'text',
          labelSelector: labelSelectorShape,
          minDomains: 'number',
          nodeAffinityPolicy: 'text',
          nodeTaintsPolicy: 'text',
          matchLabelKeys: texts,
        },
      },
    },
    resourceClaims: {
      list: { fields: { name: 'text', resourceClaimName: 'text', resourceClaimTemplateName: 'text' } },
    },
  },
};

/** The same of what takes room of a node. */
export const podRoomShape: Shape = { fields: { spec: { fields: { containers, initContainers: containers } } } };

/** The same of its volumes, and of what says where it runs. */
export const podPlaceShape: Shape = {
  fields: {
    nodeName: 'text',
    schedulingGates: { list: { fields: { name: 'text' } } },
    volumes: {
      list: {
        fields: {
          name: 'text',
          persistentVolumeClaim: { fields: { claimName: 'text' }, needs: ['claimName'] },
          ephemeral: {
            fields: { volumeClaimTemplate: { fields: { spec: { fields: { storageClassName: 'text', accessModes: texts } } } } },
          },
        },
        needs: ['name'],
      },
    },
  },
};

/** What the terms of a node selector have to be. */
export const nodeTermsShape: Shape = { list: nodeTerm };

import type { Shape } from '../../base/index.ts';
import { nodeTermsShape } from './pod-spec-problem.ts';

const texts: Shape = { list: 'text' };
const amounts: Shape = { record: 'amount' };
const nodeSelector: Shape = { fields: { nodeSelectorTerms: nodeTermsShape }, needs: ['nodeSelectorTerms'] };
const selectors: Shape = { list: { fields: { cel: { fields: { expression: 'text' }, needs: ['expression'] } } } };
const counters: Shape = { record: { fields: { value: 'amount' }, needs: ['value'] } };
const taint: Shape = { fields: { key: 'text', value: 'text', effect: 'text' }, needs: ['key', 'effect'] };
const toleration: Shape = { fields: { key: 'text', operator: 'text', value: 'text', effect: 'text' } };

const requestPolicy: Shape = {
  fields: {
    default: 'amount',
    validValues: { list: 'amount' },
    validRange: { fields: { min: 'amount', max: 'amount', step: 'amount' } },
  },
};

const device: Shape = {
  fields: {
    name: 'text',
    attributes: { record: { fields: { int: 'number', string: 'text', version: 'text' } } },
    capacity: { record: { fields: { value: 'amount', requestPolicy }, needs: ['value'] } },
    consumesCounters: { list: { fields: { counterSet: 'text', counters }, needs: ['counterSet', 'counters'] } },
    nodeName: 'text',
    nodeSelector,
    taints: { list: taint },
    bindingConditions: texts,
  },
  needs: ['name'],
};

const exactFields = {
  deviceClassName: 'text',
  selectors,
  allocationMode: 'text',
  count: 'number',
  tolerations: { list: toleration },
  capacity: { fields: { requests: amounts } },
} as const satisfies Readonly<Record<string, Shape>>;

const request: Shape = {
  fields: {
    name: 'text',
    exactly: { fields: exactFields, needs: ['deviceClassName'] },
    firstAvailable: { list: { fields: { name: 'text', ...exactFields }, needs: ['name', 'deviceClassName'] } },
  },
  needs: ['name'],
};

/** What the content of a claim, or of a template of claims, has to be. */
export const claimSpecShape: Shape = {
  fields: {
    devices: {
      fields: {
        requests: { list: request },
        constraints: { list: { fields: { requests: texts, matchAttribute: 'text', distinctAttribute: 'text' } } },
      },
    },
  },
};

const result: Shape = {
  fields: { request: 'text', driver: 'text', pool: 'text', device: 'text', consumedCapacity: amounts },
  needs: ['driver', 'pool', 'device'],
};

export const claimStatusShape: Shape = {
  fields: {
    allocation: { fields: { devices: { fields: { results: { list: result } } }, nodeSelector } },
    reservedFor: { list: { fields: { apiGroup: 'text', resource: 'text', name: 'text', uid: 'text' }, needs: ['resource', 'uid'] } },
  },
};

/** What the content of a class has to be. */
export const deviceClassSpecShape: Shape = { fields: { selectors, extendedResourceName: 'text' } };

const sharedCounters: Shape = { list: { fields: { name: 'text', counters }, needs: ['name', 'counters'] } };

/** What the devices of an instance type have to be. */
export const dynamicResourcesShape: Shape = {
  fields: {
    resourceSliceTemplates: {
      list: { fields: { driver: 'text', pool: 'text', devices: { list: device }, sharedCounters }, needs: ['driver', 'pool'] },
    },
    attributeBindings: {
      list: {
        fields: {
          attribute: 'text',
          devices: { list: { fields: { driver: 'text', pool: 'text', device: 'text' }, needs: ['driver', 'pool', 'device'] } },
        },
        needs: ['attribute', 'devices'],
      },
    },
  },
  needs: ['resourceSliceTemplates'],
};

/** What the content of a slice has to be. */
export const resourceSliceSpecShape: Shape = {
  fields: {
    driver: 'text',
    pool: { fields: { name: 'text', generation: 'number', resourceSliceCount: 'number' }, needs: ['name'] },
    nodeName: 'text',
    nodeSelector,
    devices: { list: device },
    sharedCounters,
  },
  needs: ['driver', 'pool'],
};

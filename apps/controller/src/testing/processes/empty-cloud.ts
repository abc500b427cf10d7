import type { NodeClassKind } from '@karpenter/core';

const azureClass: NodeClassKind = { group: 'karpenter.azure.com', version: 'v1beta1', kind: 'AKSNodeClass', plural: 'aksnodeclasses' };

/** The module of a whole plugin whose cloud sells nothing; `members` replaces some of its provider's. */
export const emptyCloud = ({ members = '', nodeClass = azureClass } = {}): string => `
class EmptyCloud {
  name = 'empty';
  getSupportedNodeClasses() { return [${JSON.stringify(nodeClass)}]; }
  labelCatalog = { wellKnown: new Set(), restrictedDomains: new Set(), restrictedLabels: new Set(), normalizedKeys: new Map(), normalizedValues: new Map(), knownValues: new Map() };
  repairPolicies = [];
  create() { return Promise.reject(Object.assign(new Error('nothing is sold'), { name: 'CloudProviderError', code: 'insufficient-capacity' })); }
  delete() { return Promise.resolve('gone'); }
  get() { return Promise.resolve(undefined); }
  list() { return Promise.resolve([]); }
  getInstanceTypes() { return Promise.resolve([]); }
  isDrifted() { return Promise.resolve(undefined); }
  ${members}
}
const nodeClassKinds = new EmptyCloud().getSupportedNodeClasses();
export const providerPlugin = {
  contractVersion: 1, title: 'Empty', options: [{ flag: 'empty-region', env: 'EMPTY_REGION', help: 'where nothing is sold', defaultText: 'here' }], nodeClassKinds, kinds: nodeClassKinds.map((kind) => ({ ...kind, namespaced: false })),
  configure: ({ flags }) => flags['empty-region'] === 'mars'
    ? { ok: false, problems: ['flag --empty-region is "mars": expected a region of this planet'] }
    : { ok: true, about: { region: flags['empty-region'] ?? 'here' }, create: () => ({ provider: new EmptyCloud(), controllers: [], singletons: [], start: () => Promise.resolve() }) },
};`;

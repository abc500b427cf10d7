/** Labels under kubernetes.io and k8s.io that a kubelet may give its own node. Source: kubernetes.io, "NodeRestriction". */
const ALLOWED = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
]);
const ALLOWED_DOMAINS = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

const isWithin = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);

/** Whether the API server lets a kubelet put a label on its own node. */
export const maySelfAssign = (key: string): boolean => {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  if (!isWithin(domain, 'kubernetes.io') && !isWithin(domain, 'k8s.io')) return true;
  return ALLOWED.has(key) || ALLOWED_DOMAINS.some((allowed) => isWithin(domain, allowed));
};

/** The labels of `--node-labels` that the API server lets a kubelet put on its node. */
export const selfAssignedLabels = (labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => maySelfAssign(key)));

const MOST = 63;

/** The node resource group as the label `kubernetes.azure.com/cluster` has it: AKS's own spelling. */
export const clusterLabelOf = (nodeResourceGroup: string): string => {
  const cut = nodeResourceGroup.replace(/[()]/g, '-').slice(0, MOST);
  if (!/[-_.]$/.test(cut)) return cut;
  return cut.length === MOST ? `${cut.slice(0, -1)}z` : `${cut}z`;
};

import { changeCases } from './change-cases.ts';
import { clusterCases } from './cluster-cases.ts';
import { launchCases } from './launch-cases.ts';
import { poolCases } from './pool-cases.ts';
import { subnetCases } from './subnet-cases.ts';
import type { ProvisionMode } from '../stories/provision-mode.ts';
import type { AcceptanceCase } from './stage.ts';

/** Every case, grouped by what a run has to wait for. */
export const acceptanceCases: readonly AcceptanceCase[] = [...launchCases, ...changeCases, ...poolCases, ...subnetCases, ...clusterCases];

/** Those that a mode runs: some are of machines that AKS makes, some of those that Karpenter makes. */
export const casesOf = (mode: ProvisionMode['name']): readonly AcceptanceCase[] => {
  const isOfPool = mode.startsWith('aksmachineapi');
  return acceptanceCases.filter(({ isOfAgentPool }) => (isOfAgentPool ?? isOfPool) === isOfPool);
};

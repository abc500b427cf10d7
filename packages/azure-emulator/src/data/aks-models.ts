import machines from '../../data/aks-machine-models.json' with { type: 'json' };
import bootstrapping from '../../data/node-bootstrapping-models.json' with { type: 'json' };
import type { PublishedModels } from '../body/published-shape.ts';

/** The machines of agent pools, at the one api-version that the emulator has of them. */
export const aksMachineModels: PublishedModels = machines;
export const AKS_MODELS_VERSION: string = machines.apiVersion;

/** The service that writes the user data of nodes. It has no api-versions. */
export const nodeBootstrappingModels: PublishedModels = bootstrapping;

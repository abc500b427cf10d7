import { CRD_STRATEGY } from '../../crd/crd-strategy.ts';
import { POLICY_BINDING_STRATEGY, POLICY_STRATEGY } from '../../policies/policy-strategy.ts';
import type { Strategy } from '../strategy.ts';
import { CORE_STRATEGIES } from './core-strategies.ts';
import { PLATFORM_STRATEGIES } from './platform-strategies.ts';
import { POD_STRATEGY } from './pod-strategy.ts';
import { SERVING_STRATEGIES } from './serving-strategies.ts';
import { WORKLOAD_STRATEGIES } from './workload-strategies.ts';

/** What is particular to built-in kinds beyond their row in `data/built-in-kinds.json`. */
export const STRATEGIES: Readonly<Record<string, Strategy>> = {
  ...CORE_STRATEGIES,
  ...PLATFORM_STRATEGIES,
  ...WORKLOAD_STRATEGIES,
  ...SERVING_STRATEGIES,
  Pod: POD_STRATEGY,
  ValidatingAdmissionPolicy: POLICY_STRATEGY,
  ValidatingAdmissionPolicyBinding: POLICY_BINDING_STRATEGY,
  CustomResourceDefinition: CRD_STRATEGY,
};

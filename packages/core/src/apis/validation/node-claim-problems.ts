import type { FieldProblem } from '../../base/index.ts';
import type { LabelCatalog } from '../label-catalog.ts';
import type { NodeClaim } from '../node-claim.ts';
import { machineProblems } from './machine-problems.ts';

/** Everything that is wrong with a NodeClaim; empty when it is sound. */
export const nodeClaimProblems = (claim: NodeClaim, catalog: LabelCatalog): readonly FieldProblem[] =>
  machineProblems('spec', claim.spec, { catalog, forNodePool: false });

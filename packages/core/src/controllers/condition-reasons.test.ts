import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** What a source file says in words that look like reasons; names of kinds left out. */
const reasonsIn = (path: string): readonly string[] => {
  const text = readFileSync(new URL(path, import.meta.url), 'utf8');
  const words = [...text.matchAll(/'((?:[A-Z]+[a-z]+)+)'/g)].map(([, word = '']) => word);
  return [...new Set(words)].filter((word) => !KINDS_AND_STATES.has(word)).sort();
};

const KINDS_AND_STATES = new Set([
  'NodeClaim',
  'NodePool',
  'Node',
  'PersistentVolumeClaim',
  'VolumeAttachment',
  'True',
  'False',
  'Unknown',
  'Ready',
]);

/**
 * The reasons that the original gives a claim's conditions, by where ours come from. Whatever is True has the
 * condition's own type as its reason; `Launched` and `Drifted` may also have one of the provider's, `DisruptionReason`
 * the reason of the command. `NodeClassNotReady` of `Launched` is the original's event; here it is the cause of a claim
 * that is deleted for it.
 */
test.each<[string, string, readonly string[]]>([
  ['Launched', './nodeclaim/lifecycle/launch.ts', ['LaunchFailed', 'NodeClassNotReady']],
  ['Registered', './nodeclaim/lifecycle/registration.ts', ['MultipleNodesFound', 'NodeNotFound', 'RegistrationHookPending']],
  [
    'Initialized',
    './nodeclaim/lifecycle/initialization.ts',
    [
      'DRADriverPoolsNotPublished',
      'KnownEphemeralTaintsExist',
      'NodeNotFound',
      'NodeNotReady',
      'ResourceNotRegistered',
      'StartupTaintsExist',
    ],
  ],
  ['Drifted', '../disruption/drift.ts', ['InstanceTypeNotFound', 'NodePoolDrifted', 'RequirementsDrifted']],
  [
    'Drained and VolumesDetached',
    './node/termination/termination.ts',
    ['AwaitingVolumeDetachment', 'Draining', 'TerminationGracePeriodElapsed'],
  ],
  [
    'NodeClassReady',
    './nodepool/readiness.ts',
    ['NodeClassNotFound', 'NodeClassNotReady', 'NodeClassReadinessUnknown', 'NodeClassTerminating'],
  ],
  ['ValidationSucceeded', './nodepool/validation.ts', ['NodePoolValidationFailed']],
  ['NodeRegistrationHealthy', './nodepool/registration-health.ts', ['AwaitingReconciliation']],
  ['ConsistentStateFound', './nodeclaim/consistency.ts', ['ConsistencyCheckFailed']],
  ['Consolidatable', './nodeclaim/conditions.ts', []],
  [
    'Ready and what it depends on',
    '../actions/status-conditions.ts',
    ['AwaitingReconciliation', 'ReconcilingDependents', 'UnhealthyDependents'],
  ],
])('the condition %s has the original’s reasons and no others (%s)', (...[, path, reasons]) => {
  expect(reasonsIn(path)).toEqual(reasons);
});

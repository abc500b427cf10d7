import { expect, test } from '@jest/globals';
import { knownRefusals } from '@karpenter/azure-emulator';
import { restError } from '../../testing/rest-error.ts';
import type { ArmError } from '../arm-error.ts';
import { armErrorOf } from './arm-error-of.ts';
import { type FailedLaunchAttempt, launchVerdictOf } from './launch-verdict.ts';

const attempt: FailedLaunchAttempt = {
  size: { name: 'Standard_D16_v4', family: 'standardDv4Family', vCpus: 16 },
  zones: ['eastus-1', 'eastus-2'],
  zone: 'eastus-2',
  capacityType: 'spot',
};

const { error: body } = knownRefusals.sizeDisallowedByPolicy('aks-a', 'Standard_D16_v4');
const refused = (error: object): ArmError => armErrorOf(restError(403, body, { bodyAsText: JSON.stringify({ error }) }), 0) as ArmError;

test('a size that a policy does not allow is blocked in each zone and capacity type, and the claim has the words of Azure', () => {
  const { error, blocks } = launchVerdictOf(refused(body), attempt);
  expect(blocks.map(({ zone, capacityType }) => `${zone} ${capacityType}`).sort()).toEqual(
    ['0', 'eastus-1', 'eastus-2'].flatMap((zone) => [`${zone} on-demand`, `${zone} spot`]),
  );
  expect(error).toMatchObject({
    code: 'offering-unavailable',
    reason: 'SKUDisallowedByPolicy',
    message: expect.stringContaining('The selected virtual machine size is not allowed.'),
  });
});

test('what a policy disallows for another field, or without saying for which, blocks nothing and is no missing role', () => {
  const info = { evaluationDetails: { evaluatedExpressions: [null, { expression: 'tags[cost-center]' }] } };
  for (const additionalInfo of [[{ type: 'PolicyViolation', info }], [{ type: 'Other', info }], 'none', undefined]) {
    const { error, blocks } = launchVerdictOf(refused({ ...body, additionalInfo }), attempt);
    expect(blocks).toEqual([]);
    expect(error).toMatchObject({ code: 'forbidden', reason: 'DisallowedByPolicy' });
  }
});

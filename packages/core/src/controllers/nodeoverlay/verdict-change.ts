import type { ConditionChange } from '../../actions/index.ts';
import { nodeOverlayConditions } from '../../apis/index.ts';
import { unreachable } from '../../base/index.ts';
import type { OverlayVerdict } from './judge-overlays.ts';

const type = nodeOverlayConditions.validationSucceeded;

/** A verdict as `ValidationSucceeded` says it to people. */
export const verdictChange = (verdict: OverlayVerdict): ConditionChange => {
  switch (verdict.kind) {
    case 'in-force':
      return { type, status: 'True' };
    case 'invalid': {
      const message = verdict.problems.map(({ field, value, problem }) => `${field}: ${JSON.stringify(value)} ${problem}`).join('; ');
      return { type, status: 'False', reason: 'RuntimeValidation', message };
    }
    case 'conflict': {
      const { with: other, about, instanceType } = verdict.conflict;
      const what = about === 'price' ? 'the price' : `the ${about}`;
      const message = `conflict with NodeOverlay "${other}" of the same weight: both state ${what} of instance type ${instanceType}`;
      return { type, status: 'False', reason: 'Conflict', message };
    }
    default:
      return unreachable(verdict);
  }
};

import type { Verdict } from '@karpenter/core/provider-kit';
import { nodeClassConditions } from '../../apis/index.ts';
import type { ArmApi } from '../../arm/arm-api.ts';
import { ArmError } from '../../arm/arm-error.ts';

const type = nodeClassConditions.validationSucceeded;

/**
 * Whether the disk encryption set of a class, or else of the options, can be used. Undefined where Azure did not say:
 * what was known before still counts. Differs: also reports a set that does not exist; in the original, machines then
 * fail one by one.
 */
export const encryptionVerdict = async (
  arm: Pick<ArmApi, 'hasDiskEncryptionSet'>,
  id: string | undefined,
  signal: AbortSignal,
): Promise<Verdict | undefined> => {
  if (id === undefined) return { type, status: 'True' };
  try {
    if (await arm.hasDiskEncryptionSet(id, signal)) return { type, status: 'True' };
    return { type, status: 'False', reason: 'DiskEncryptionSetNotFound', message: `${id} does not exist` };
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    return error.code === 'forbidden'
      ? { type, status: 'False', reason: 'DiskEncryptionSetRBACMissing', message: error.message }
      : undefined;
  }
};

import type { LogFields } from '@karpenter/runtime';
import type { InstanceTypeCatalog } from '../catalog/index.ts';
import type { AzureOptions } from '../options/index.ts';
import { strayCommitments } from '../pricing/index.ts';

interface Warning {
  readonly message: string;
  readonly fields: LogFields;
}

/** Options that are valid but have no effect, once it is known what the region sells. */
export const startWarningsOf = (
  { committedPrices, provisioning, cloud }: Pick<AzureOptions, 'committedPrices' | 'provisioning' | 'cloud'>,
  { skus }: Pick<InstanceTypeCatalog, 'skus'>,
): readonly Warning[] => {
  const sizes = strayCommitments(committedPrices, skus.values());
  const isElsewhere = cloud.kind === 'named' && cloud.name !== 'AzurePublicCloud';
  return [
    ...(sizes.length > 0
      ? [
          {
            message: '--committed-prices (COMMITTED_PRICES) names VM sizes that LOCATION does not sell: expected sizes of this region',
            fields: { sizes },
          },
        ]
      : []),
    ...(isElsewhere && provisioning.kind === 'aksscriptless'
      ? [
          {
            message:
              '--provision-mode (PROVISION_MODE) is aksscriptless, which supports the public cloud only: expected bootstrappingclient or a mode with an agent pool',
            fields: { cloud: cloud.name },
          },
        ]
      : []),
  ];
};

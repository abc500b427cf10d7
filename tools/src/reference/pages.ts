import { aksNodeClassCrd, azureLabelRules, providerPlugin } from '@karpenter/azure';
import { capacityBufferCrd, nodeClaimCrdWith, nodeOverlayCrdWith, nodePoolCrdWith, rebalancePlanCrd } from '@karpenter/core/internal';
import { defaultFeatureGates } from '../../../apps/controller/src/settings/feature-gates.ts';
import { optionsOfTheOriginal } from '../../../apps/controller/src/settings/options-of-the-original.ts';
import { options } from '../../../apps/controller/src/settings/options.ts';
import { crdPage } from './crd-page.ts';
import { libraryPage } from './library-page.ts';
import { metricDifferences } from './metric-differences.ts';
import { metricsPage } from './metrics-page.ts';
import { optionsPage } from './options-page.ts';
import { registeredMetrics } from './registered-metrics.ts';

/** Name of a page of the reference, without folder → its content. */
export const referencePages = async (): Promise<ReadonlyMap<string, string>> => {
  const rules = azureLabelRules();
  return new Map([
    ['nodepool.md', crdPage(nodePoolCrdWith(rules))],
    ['nodeclaim.md', crdPage(nodeClaimCrdWith(rules))],
    ['nodeoverlay.md', crdPage(nodeOverlayCrdWith(rules))],
    ['rebalanceplan.md', crdPage(rebalancePlanCrd)],
    ['capacitybuffer.md', crdPage(capacityBufferCrd)],
    ['aksnodeclass.md', crdPage(aksNodeClassCrd)],
    [
      'options.md',
      optionsPage({
        options: Object.values(options),
        idle: optionsOfTheOriginal,
        gates: { ...defaultFeatureGates },
        provider: providerPlugin,
      }),
    ],
    ['library.md', libraryPage()],
    ['metrics.md', metricsPage(await registeredMetrics(), metricDifferences)],
  ]);
};

import { aDeployment } from './a-deployment.ts';

type Row = readonly [cpu: string, memory: string];

/** What a pod of each of the thirty asks for. Source: the original's `test/suites/performance/wide_deployments_test.go`. */
const ROWS: readonly Row[] = [
  ['240m', '300Mi'],
  ['450m', '400Mi'],
  ['650m', '700Mi'],
  ['900m', '1Gi'],
  ['1400m', '2Gi'],
  ['1900m', '4Gi'],
  ['2400m', '8Gi'],
  ['2800m', '4Gi'],
  ['3300m', '16Gi'],
  ['3700m', '10Gi'],
  ['2300m', '64Gi'],
  ['900m', '30Gi'],
  ['1300m', '32Gi'],
  ['2800m', '32Gi'],
  ['1800m', '30Gi'],
  ['1850m', '20Gi'],
  ['3300m', '30Gi'],
  ['3800m', '300Mi'],
  ['225m', '500Mi'],
  ['450m', '750Mi'],
  ['700m', '1Gi'],
  ['900m', '2Gi'],
  ['1300m', '4Gi'],
  ['1800m', '8Gi'],
  ['2400m', '16Gi'],
  ['2800m', '32Gi'],
  ['3400m', '28Gi'],
  ['3800m', '64Gi'],
  ['3300m', '13Gi'],
  ['2800m', '24Gi'],
];

const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';
const nameAt = (index: number): string => `wide-deployment-${index + 1}`;
const spreadAt = (index: number): readonly string[] => (index >= 3 && index < 6 ? [ZONE, HOSTNAME] : [ZONE]);

/** Thirty deployments, 1,000 pods: all spread over zones, some over hosts, some with no two pods on one host. */
export const wideDeployments = () =>
  ROWS.map(([cpu, memory], index) =>
    aDeployment([nameAt(index), index < 20 ? 35 : 30, cpu, memory], { spreadOver: spreadAt(index), isSolitary: index < 3 }),
  );

/** Deployment → replicas when they are scaled in to 700 pods. */
export const wideScaledIn = (): Readonly<Record<string, number>> =>
  Object.fromEntries(ROWS.map((_, index) => [nameAt(index), index < 20 ? 25 : 20]));

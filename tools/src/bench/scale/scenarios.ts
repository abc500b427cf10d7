import type { ApiObject } from '@karpenter/api-server';
import { aDeployment, doNotDisrupt, solitaryWorkload, spreadOverHosts } from './a-deployment.ts';
import { wideDeployments, wideScaledIn } from './wide-deployments.ts';

/** What the original allows itself; left out where it states nothing. */
export interface Thresholds {
  readonly minutes?: number;
  /** Mean over the nodes of the requested share of what is allocatable. */
  readonly cpuShare?: number;
  readonly memoryShare?: number;
  /** 95th percentile of resident memory, 10^6 bytes. */
  readonly megabytes: number;
  /** Mean. */
  readonly cores: number;
}

/** Something is changed, and then waited for. */
export interface Phase {
  readonly name: string;
  readonly create?: readonly ApiObject[];
  /** Deployment → replicas. */
  readonly scale?: Readonly<Record<string, number>>;
  /** The pool's template is changed, so that every node has drifted. */
  readonly drifts?: boolean;
  /** How many pods run in the end. */
  readonly pods: number;
  /** Also waited for: that no node has been deleted for a while; that every node is another. */
  readonly end?: 'quiet' | 'replaced';
  readonly thresholds: Thresholds;
}

export interface Scenario {
  readonly name: string;
  readonly phases: readonly Phase[];
}

const SMALL = ['900m', '3100Mi'] as const;
const LARGE = ['3500m', '28Gi'] as const;
const small = 'small-resource-app';
const large = 'large-resource-app';
const scaled = (smalls: number, larges: number): Readonly<Record<string, number>> => ({ [small]: smalls, [large]: larges });
const shares = { cpuShare: 0.38, memoryShare: 0.4 };

const basic: Scenario = {
  name: 'basic',
  phases: [
    {
      name: 'scaleOut',
      create: [aDeployment([small, 500, ...SMALL]), aDeployment([large, 500, ...LARGE])],
      pods: 1000,
      thresholds: { minutes: 2, cpuShare: 0.53, memoryShare: 0.65, megabytes: 260, cores: 0.5 },
    },
    { name: 'consolidation', scale: scaled(350, 350), pods: 700, end: 'quiet', thresholds: { minutes: 20, megabytes: 260, cores: 0.25 } },
  ],
};

const doNotDisruptScenario: Scenario = {
  name: 'doNotDisrupt',
  phases: [
    {
      name: 'scaleOut',
      create: [
        aDeployment([small, 500, ...SMALL], spreadOverHosts),
        aDeployment([large, 500, ...LARGE]),
        aDeployment(['do-not-disrupt-app', 100, '900m', '450Mi'], doNotDisrupt),
      ],
      pods: 1100,
      thresholds: { minutes: 4, ...shares, megabytes: 645, cores: 1.1 },
    },
    {
      name: 'consolidation',
      scale: scaled(250, 250),
      pods: 600,
      end: 'quiet',
      thresholds: { minutes: 35, ...shares, megabytes: 585, cores: 0.8 },
    },
  ],
};

const drift: Scenario = {
  name: 'drift',
  phases: [
    {
      name: 'initial',
      create: [aDeployment(['hostname-spread-app', 300, ...SMALL], spreadOverHosts), aDeployment(['standard-app', 300, ...LARGE])],
      pods: 600,
      thresholds: { minutes: 5, megabytes: 425, cores: 0.7 },
    },
    { name: 'drift', drifts: true, pods: 600, end: 'replaced', thresholds: { minutes: 50, megabytes: 470, cores: 1.05 } },
  ],
};

const hostNameSpreading: Scenario = {
  name: 'hostNameSpreading',
  phases: [
    {
      name: 'scaleOut',
      create: [aDeployment([small, 500, ...SMALL], spreadOverHosts), aDeployment([large, 500, ...LARGE])],
      pods: 1000,
      thresholds: { minutes: 5, ...shares, megabytes: 680, cores: 1.15 },
    },
    { name: 'consolidation', scale: scaled(350, 350), pods: 700, end: 'quiet', thresholds: { ...shares, megabytes: 575, cores: 1 } },
  ],
};

const hostNameSpreadingXl: Scenario = {
  name: 'hostNameSpreadingXL',
  phases: [
    {
      name: 'scaleOut',
      create: [aDeployment([small, 1000, ...SMALL], spreadOverHosts), aDeployment([large, 1000, ...LARGE])],
      pods: 2000,
      thresholds: { minutes: 35, ...shares, megabytes: 1330, cores: 1.4 },
    },
    {
      name: 'consolidation',
      scale: scaled(700, 700),
      pods: 1400,
      end: 'quiet',
      thresholds: { minutes: 35, ...shares, megabytes: 1200, cores: 1.7 },
    },
  ],
};

const interference: Scenario = {
  name: 'interference',
  phases: [
    {
      name: 'scaleOut',
      create: [aDeployment([small, 500, ...SMALL], solitaryWorkload)],
      pods: 500,
      thresholds: { minutes: 5, ...shares, megabytes: 620, cores: 0.9 },
    },
    {
      name: 'interference',
      create: [aDeployment([large, 500, ...LARGE], solitaryWorkload)],
      scale: { [small]: 250 },
      pods: 750,
      thresholds: { minutes: 10, ...shares, megabytes: 1205, cores: 1.3 },
    },
    {
      name: 'consolidation',
      scale: scaled(400, 200),
      pods: 600,
      end: 'quiet',
      thresholds: { minutes: 25, ...shares, megabytes: 820, cores: 0.8 },
    },
  ],
};

const wide: Scenario = {
  name: 'wideDeployments',
  phases: [
    {
      name: 'scaleOut',
      create: wideDeployments(),
      pods: 1000,
      thresholds: { minutes: 5, cpuShare: 0.2, memoryShare: 0.2, megabytes: 370, cores: 0.7 },
    },
    {
      name: 'consolidation',
      scale: wideScaledIn(),
      pods: 700,
      end: 'quiet',
      thresholds: { minutes: 40, cpuShare: 0.2, memoryShare: 0.2, megabytes: 340, cores: 0.3 },
    },
  ],
};

/**
 * The performance suite of the original with its thresholds, the same pods in the same order.
 * Source: the original's `test/suites/performance/*_test.go`.
 */
export const scenarios: readonly Scenario[] = [
  basic,
  doNotDisruptScenario,
  drift,
  hostNameSpreading,
  hostNameSpreadingXl,
  interference,
  wide,
];

import type { Figure } from '../report.ts';
import type { PhaseResult } from './run-phase.ts';
import { utilisationOf } from './utilisation.ts';

const atMost = (bar: number | undefined) => (bar === undefined ? {} : { atMost: bar });
const atLeast = (bar: number | undefined) => (bar === undefined ? {} : { atLeast: bar });

const timesOf = ({ phase, tookMs, realMs, isDone }: PhaseResult): readonly Figure[] => {
  const quiet = phase.end === 'quiet' ? ', three quiet minutes included' : '';
  return [
    {
      case: `time${isDone ? quiet : ' when it was stopped'}`,
      figure: tookMs / 60_000,
      unit: 'min',
      ...atMost(phase.thresholds.minutes),
    },
    { case: 'real time', figure: realMs / 1000, unit: 's' },
  ];
};

const sharesOf = ({ phase, end }: PhaseResult): readonly Figure[] => {
  const { cpuShare, memoryShare } = phase.thresholds;
  const { nodes, upPods } = end;
  return [
    { case: 'nodes', figure: nodes.length, unit: 'nodes' },
    { case: 'pods up', figure: upPods.length, unit: 'pods', atLeast: phase.pods },
    { case: 'mean share of cpu asked for', figure: utilisationOf(nodes, upPods, 'cpu'), unit: '', ...atLeast(cpuShare) },
    { case: 'mean share of memory asked for', figure: utilisationOf(nodes, upPods, 'memory'), unit: '', ...atLeast(memoryShare) },
  ];
};

const usageOf = ({ phase, tookMs, usage }: PhaseResult): readonly Figure[] => {
  const { megabytes, cores } = phase.thresholds;
  const { cpuSeconds, p95ResidentBytes, peakResidentBytes, requests } = usage;
  return [
    { case: 'resident memory, 95th percentile', figure: p95ResidentBytes / 1e6, unit: 'MB', atMost: megabytes },
    { case: 'resident memory, peak', figure: peakResidentBytes / 1e6, unit: 'MB' },
    { case: 'processor time', figure: cpuSeconds, unit: 's' },
    { case: 'processors, mean', figure: cpuSeconds / (tookMs / 1000), unit: 'cores', atMost: cores },
    ...Object.entries(requests).map(([verb, count]) => ({ case: `requests: ${verb}`, figure: count, unit: 'requests' })),
  ];
};

/** The figures of one phase beside the original's thresholds; all but the times and shares are the controller's own. */
export const figuresOfPhase = (scenario: string, result: PhaseResult): readonly Figure[] =>
  [...timesOf(result), ...sharesOf(result), ...usageOf(result)].map((figure) => ({
    ...figure,
    case: `${scenario}/${result.phase.name}: ${figure.case}`,
  }));

import { readFileSync } from 'node:fs';
import { chartCrds } from '../../chart-crds.ts';
import { chartEnvironment, chartFlags } from '../../chart-process.ts';
import { kwokCrdFiles } from '../../crds/crd-files.ts';
import type { Contestant } from './contestant.ts';
import type { Programs } from './programs.ts';

/** This controller, bundled at `bundlePath`, as the chart runs it, and the original; each with its kwok provider. */
export const kwokContestants = (programs: Programs, bundlePath: string): readonly Contestant[] => [
  {
    name: 'ours',
    command: [process.execPath, ...chartFlags, bundlePath],
    env: { ...chartEnvironment, CLOUD_PROVIDER: '@karpenter/kwok' },
    crds: [...chartCrds().map((path) => readFileSync(path, 'utf8')), ...kwokCrdFiles().values()],
  },
  { name: 'original', command: [programs.original], env: {}, crds: programs.originalCrds },
];

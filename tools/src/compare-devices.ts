/**
 * Runs kube-scheduler on generated cases about every part of device allocation: which pods get their devices. Compares
 * what the embedded cluster's scheduler and a plan say. Needs KARPENTER_CONTROL_PLANE, a folder with etcd,
 * kube-apiserver, kube-controller-manager and kube-scheduler. Fails on a difference. `--record` writes the answers that
 * the others are held to on machines without it.
 */
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { differencesOf } from './compare-devices/differences.ts';
import type { RecordedCase } from './compare-devices/differences.ts';
import { deviceCases } from './compare-devices/device-cases.ts';
import { realAnswers } from './compare-devices/real-answers.ts';

const assets = process.env['KARPENTER_CONTROL_PLANE'];
if (assets === undefined) throw new Error('KARPENTER_CONTROL_PLANE must name a folder with the programs of a control plane');
const [count = '120', seed = '1'] = process.argv.slice(2).filter((word) => !word.startsWith('--'));

const cases = fc.sample(deviceCases, { numRuns: Number(count), seed: Number(seed) });
const answers = await realAnswers(assets, cases);
const recorded = cases.flatMap((asked, index): readonly RecordedCase[] => {
  const given = answers[index];
  return given === undefined ? [] : [{ asked, answers: given }];
});

let differences = 0;
for (const each of recorded) {
  for (const difference of await differencesOf(each)) {
    differences++;
    console.log(JSON.stringify({ difference, ...each }));
  }
}
const pods = recorded.flatMap((each) => each.answers);
const placed = pods.filter(({ isPlaced }) => isPlaced).length;
console.log(`seed ${seed}: ${recorded.length} of ${cases.length} cases, ${pods.length} pods, ${placed} placed, ${differences} differences`);

if (process.argv.includes('--record')) {
  const lines = recorded.map((each) => JSON.stringify(each));
  writeFileSync(new URL('compare-devices/recorded-devices.json', import.meta.url), `[\n${lines.join(',\n')}\n]\n`);
}
process.exitCode = differences === 0 ? 0 : 1;

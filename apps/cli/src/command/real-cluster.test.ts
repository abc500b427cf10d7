import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { systemClock } from '@karpenter/runtime';
import { askTimeless, liveCommands } from '../testing/live-commands.ts';
import { pageText } from '../testing/live-cluster.ts';
import { type RealSample, startRealSample } from '../testing/real-control-plane.ts';

/**
 * A folder with `etcd`, `kube-apiserver`, `kube-controller-manager` and `kube-scheduler`: CONTRIBUTING.md says how to
 * build them.
 */
const assets = process.env['KARPENTER_CONTROL_PLANE'];

jest.setTimeout(300_000);

if (assets === undefined) {
  process.stderr.write('KARPENTER_CONTROL_PLANE names no folder: the command line is not tried on a real control plane here\n');
}

/** The kinds of the page, and the classes of the sample. */
const KINDS = `${[...pageText().matchAll(/^(?:KINDS|VOLUMES)=(\S+)$/gm)].map(([, kinds]) => kinds).join(',')},kwoknodeclasses`;

(assets === undefined ? describe.skip : describe)("the command line on Kubernetes' own control plane", () => {
  let sample: RealSample;
  beforeAll(async () => {
    sample = await startRealSample(assets ?? '');
  });
  afterAll(async () => {
    await sample[Symbol.asyncDispose]();
  });

  test.each(liveCommands)('%s: a user who may only list and watch gets the answer that the file of kubectl gives', async (line) => {
    const options = { clock: systemClock, files: { 'real.json': sample.kubectl(['get', KINDS, '-A', '-o', 'json']) } };
    const live = await askTimeless(`${line} --kubeconfig ${sample.kubeconfig}`, options);
    expect(live.complaints).toEqual([]);
    expect(live).toEqual(await askTimeless(`${line} --from real.json`, options));
  });

  test('the role of the page lets its holder list and watch, and nothing else', () => {
    const asReader = ['auth', 'can-i', '--as', 'system:serviceaccount:default:karpenter-reader', '--list', '--no-headers'];
    const granted = sample.kubectl(asReader).split('\n');
    const ofCluster = granted.filter((line) => /karpenter|nodes|pods/.test(line));
    expect(ofCluster.length).toBeGreaterThan(2);
    expect(ofCluster.filter((line) => !/\[list watch\]\s*$/.test(line))).toEqual([]);
  });
});

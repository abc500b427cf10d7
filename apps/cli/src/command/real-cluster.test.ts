import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { systemClock } from '@karpenter/runtime';
import { startEmbeddedCluster } from '@karpenter/simulator';
import { askTimeless, liveCommands } from '../testing/live-commands.ts';
import { pageText } from '../testing/live-cluster.ts';
import { formerPool } from '../testing/sample-manifests.ts';
import { runCommand } from '../testing/run-command.ts';
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

  test('nodes --watch: a user who may only list and watch sees what the cluster has', async () => {
    const stopping = new AbortController();
    const options = { clock: systemClock, signal: stopping.signal, onWrite: () => stopping.abort() };
    const { code, out, complaints } = await runCommand(`nodes --watch --kubeconfig ${sample.kubeconfig}`, options);
    expect({ code, complaints }).toEqual({ code: 0, complaints: [] });
    expect(out).toMatch(/^5 nodes · 5 pods, 2 pending/);
  });

  test('convert: the API server takes what it wrote', async () => {
    const { out } = await runCommand('convert old.yaml', { files: { 'old.yaml': formerPool.replace('general', 'former') } });
    expect(sample.kubectl(['apply', '--dry-run=server', '-f', '-'], out)).toContain(
      'nodepool.karpenter.sh/former created (server dry run)',
    );
  });

  test('preflight: a user who may only list and watch has the cluster compared with Azure', async () => {
    const azure = await startEmbeddedCluster({ clock: systemClock });
    try {
      const env = azure.environment();
      // A process reads NODE_EXTRA_CA_CERTS when it starts; this one has.
      setDefaultCACertificates([...getCACertificates('default'), readFileSync(env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8')]);
      const { out, complaints } = await runCommand(`preflight --kubeconfig ${sample.kubeconfig}`, { clock: systemClock, env });
      expect(complaints).toEqual([]);
      expect(out).toContain('NodePool general: no size of the region');
    } finally {
      await azure.stop();
    }
  });

  test('the role of the page lets its holder list and watch, and nothing else', () => {
    const asReader = ['auth', 'can-i', '--as', 'system:serviceaccount:default:karpenter-reader', '--list', '--no-headers'];
    const granted = sample.kubectl(asReader).split('\n');
    const ofCluster = granted.filter((line) => /karpenter|nodes|pods/.test(line));
    expect(ofCluster.length).toBeGreaterThan(2);
    expect(ofCluster.filter((line) => !/\[list watch\]\s*$/.test(line))).toEqual([]);
  });
});

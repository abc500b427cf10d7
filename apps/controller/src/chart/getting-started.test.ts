import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { describeWithHelm } from './helm.ts';
import { healthy, stubAz, stubKubectl } from './stub-cluster.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'getting-started.md'), 'utf8');
const commands = [...page.slice(page.indexOf('## On AKS')).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);

const answers = { ...healthy, principalId: 'p' };
/** Commands that ask for nothing change something, and are believed. */
const az = stubAz(answers).replace('\n', '\n[[ "$*" = *--query* ]] || exit 0\n');
/** In place of an installation: what it would install. */
const helm = `#!/usr/bin/env bash
real=$(PATH=\${PATH#*:} command -v "\${HELM:-helm}")
args=()
for word in "\${@:2}"; do [ "$word" = --create-namespace ] || args+=("$word"); done
"$real" template "\${args[@]}" > "$HOME/$2.yaml"
`;
/** Everything that is applied has to be there; other words are those of a person who looks. */
const kubectl = stubKubectl.replace('*) exit 1', '"apply -f "*) test -r "$3" ;;\n*) exit 0');

const home = mkdtempSync(join(tmpdir(), 'karpenter-start-'));
afterAll(() => rmSync(home, { recursive: true }));

describeWithHelm('getting started', () => {
  test('comes to an end as it is written, with a chart that takes the values and what is applied', () => {
    mkdirSync(join(home, 'bin'));
    for (const [name, text] of Object.entries({ az, helm, kubectl })) writeFileSync(join(home, 'bin', name), text, { mode: 0o755 });
    for (const folder of ['apps', 'docs']) symlinkSync(join(root, folder), join(home, folder));
    const env = { ...process.env, HOME: home, PATH: [join(home, 'bin'), process.env['PATH']].join(delimiter) };
    const { status, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', commands.join('\n')], { cwd: home, env, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(join(home, 'karpenter.yaml'), 'utf8')).toContain('image: myregistry.azurecr.io/karpenter:0.1.0');
    expect(readFileSync(join(home, 'karpenter-crds.yaml'), 'utf8')).toContain('kind: CustomResourceDefinition');
  });
});

import { type BootstrapSource, bootstrapVariables } from './bootstrap-variables.ts';
import { CONSTANT_VARIABLES } from './constant-variables.ts';

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;

/**
 * The bash script that turns a fresh AKS image into a node. It makes what a script extension would make: the mark in
 * the manifest that the image's scripts wait for, and the folder of their events. It waits for these scripts,
 * describes the node in variables, and starts them. The same values give the same bytes.
 */
export const bootstrapScriptOf = (source: BootstrapSource): string => {
  const variables = { ...CONSTANT_VARIABLES, ...bootstrapVariables(source) };
  const assignments = Object.entries(variables)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `export ${name}=${quoted(value)}`);
  return `#!/bin/bash
echo '#EOF' >> /opt/azure/manifest.json
mkdir -p /var/log/azure/Microsoft.Azure.Extensions.CustomScript/events
echo "$(date),$(hostname)" > /var/log/azure/cluster-provision-cse-output.log
for i in $(seq 1 1200); do
  grep -Fq "EOF" /opt/azure/containers/provision.sh && break
  if [ "$i" -eq 1200 ]; then exit 100; fi
  sleep 1
done
${assignments.join('\n')}
/usr/bin/nohup /bin/bash -c "/bin/bash /opt/azure/containers/provision_start.sh"
`;
};

/** `osProfile.customData`: base64 of the script. */
export const customDataOf = (source: BootstrapSource): string => Buffer.from(bootstrapScriptOf(source), 'utf8').toString('base64');

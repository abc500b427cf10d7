import { BootstrapError } from './bootstrap-error.ts';

const FOLDER = '/opt/azure/containers';

/**
 * Where an AKS node image has the scripts that its first one sources. Without one of these variables it exits within
 * two minutes.
 */
export const IMAGE_SCRIPTS: Readonly<Record<string, string>> = {
  CSE_HELPERS_FILEPATH: `${FOLDER}/provision_source.sh`,
  CSE_DISTRO_HELPERS_FILEPATH: `${FOLDER}/provision_source_distro.sh`,
  CSE_INSTALL_FILEPATH: `${FOLDER}/provision_installs.sh`,
  CSE_DISTRO_INSTALL_FILEPATH: `${FOLDER}/provision_installs_distro.sh`,
  CSE_CONFIG_FILEPATH: `${FOLDER}/provision_configs.sh`,
};

/** The scripts wait for this mark, which a script extension would have put there. */
const MARKED = /^[\t ]*echo\s+['"]?#EOF['"]?\s*>>\s*\/opt\/azure\/manifest\.json/m;
const STARTED = /\/opt\/azure\/containers\/provision_start\.sh/;

/**
 * Throws `BootstrapError` for custom data with which an AKS node image exits before its kubelet starts. Source:
 * AgentBaker, `cse_main.sh`.
 */
export const requireImageScripts = (script: string, variables: ReadonlyMap<string, string>): void => {
  for (const [name, path] of Object.entries(IMAGE_SCRIPTS)) {
    const value = variables.get(name) ?? '';
    if (value !== path) throw new BootstrapError('MissingScript', `the bootstrap script sets ${name} to "${value}", expected ${path}`);
  }
  if (!MARKED.test(script))
    throw new BootstrapError('MissingScript', 'the bootstrap script does not append #EOF to /opt/azure/manifest.json');
  if (!STARTED.test(script)) throw new BootstrapError('MissingScript', `the bootstrap script does not start ${FOLDER}/provision_start.sh`);
};

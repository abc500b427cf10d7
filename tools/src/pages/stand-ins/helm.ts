import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { assertUseful } from './assert-useful.ts';

/** What an installation takes, and a rendering does not. */
const ONLY_TO_INSTALL = ['--install', '--create-namespace', '--take-ownership'];

/**
 * `helm install …` and `helm upgrade --install …` render the chart by the real helm, into `<release>.yaml`; `helm
 * uninstall` names one.
 */
export const standInHelm = ([verb, ...words]: readonly string[]): void => {
  if (verb === 'uninstall') {
    assertUseful(existsSync(`${String(words[0])}.yaml`), `there is no release ${String(words[0])}`);
    return;
  }
  assertUseful(verb === 'install' || (verb === 'upgrade' && words.includes('--install')), `helm ${String(verb)} ${words.join(' ')}`);
  const args = words.filter((word) => !ONLY_TO_INSTALL.includes(word));
  const text = execFileSync(process.env['HELM'] ?? 'helm', ['template', ...args], { encoding: 'utf8' });
  writeFileSync(`${String(args[0])}.yaml`, text);
};

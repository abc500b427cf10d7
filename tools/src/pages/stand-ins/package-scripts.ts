import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { providerFiles } from '../../create-provider/provider-files.ts';
import { parseDemoArguments } from '../../demo/demo-arguments.ts';
import { repository } from '../../repository.ts';
import { assertUseful } from './assert-useful.ts';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(repository(`${folder}/package.json`), 'utf8')) as Manifest;

/** The package whose folder a page has gone to; the repository, where it has gone nowhere. */
const here = (): Manifest =>
  existsSync('package.json') ? (JSON.parse(readFileSync('package.json', 'utf8')) as Manifest) : manifestOf('.');

const assertScript = (name: string | undefined, { scripts, name: owner } = here()): void =>
  assertUseful(scripts?.[name ?? ''] !== undefined, `${owner} has no script ${name ?? ''}`);

/** What npm does with a package.json, and nothing beyond it. */
const DONE_IN_PLACE = ['init', 'pkg'];

/**
 * `npm run …` and `npm test` name scripts of the package that the page is in; `npm init` and `npm pkg` do what they do, and
 * `npm run karpenter` answers.
 */
export const npm = async (words: readonly string[]): Promise<void> => {
  const [verb = '', script, dashes, ...rest] = words.filter((word) => word !== '--silent');
  if (verb === 'install') return;
  if (DONE_IN_PLACE.includes(verb)) return void execFileSync('npm', words, { stdio: 'inherit' });
  if (verb === 'test') {
    assertScript(verb);
    return;
  }
  assertUseful(verb === 'run', `npm ${words.join(' ')}`);
  assertScript(script);
  assertUseful(dashes === undefined || dashes === '--', `npm run ${String(script)} takes no ${String(dashes)}`);
  if (script === 'karpenter') await (await import('./controller-program.ts')).karpenter(rest);
  assertUseful(script !== 'demo' || parseDemoArguments(rest).kind === 'run', `the demo does not take ${rest.join(' ')}`);
};

const createProvider = (name: string, folder: string): void => {
  for (const [path, text] of providerFiles(name)) {
    mkdirSync(dirname(resolve(folder, path)), { recursive: true });
    writeFileSync(resolve(folder, path), text);
  }
};

/** `pnpm …` names a script of the repository, or with `--filter` one of a package; `pnpm create-provider` writes one. */
export const pnpm = (words: readonly string[]): void => {
  const [verb = '', name = '', third] = words;
  if (verb === 'install') return;
  if (verb === 'create-provider') {
    createProvider(name, resolve(String(third)));
    return;
  }
  if (verb !== '--filter') {
    assertScript(verb);
    return;
  }
  const folders = globSync(['docs', 'tools', 'apps/*', 'packages/*'], { cwd: repository('.') });
  const chosen = folders.find((each) => manifestOf(each).name === name);
  assertUseful(chosen !== undefined, `no package is called ${name}`);
  if (third !== 'pack') assertScript(third, manifestOf(chosen));
};

/** `npx -y pnpm@<version> …`, of the version that the repository has. */
export const npx = ([yes, program = '', ...words]: readonly string[]): void => {
  assertUseful(yes === '-y' && program === `pnpm@${String(manifestOf('tools').dependencies?.['pnpm'])}`, `npx ${program}`);
  pnpm(words);
};

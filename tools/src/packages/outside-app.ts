import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { providerFiles } from '../create-provider/provider-files.ts';
import { type CommandStep, runStep } from './run-step.ts';

/** Tarballs that an app outside the workspace installs. */
export interface Outside {
  /** A folder outside any package; the app is made in it. */
  readonly folder: string;
  /** `core` → path of its tarball. */
  readonly tarballs: Readonly<Record<string, string>>;
  /** The root of this workspace: for the compiler, and for what the page of core shows. */
  readonly root: string;
}

const specsOf = ({ tarballs }: Outside): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(tarballs).map(([name, path]) => [`@karpenter/${name}`, `file:${path}`]));

/** The package of a provider, without the test that it keeps the contract. */
const writeProvider = (app: string): void => {
  for (const [path, text] of providerFiles('outside')) {
    if (path.endsWith('.test.ts')) continue;
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), text);
  }
};

/**
 * An app with the example of core's page and a provider that was just created. The packages name each other by version:
 * the tarballs stand in.
 */
const writeApp = (outside: Outside, app: string): void => {
  const specs = specsOf(outside);
  mkdirSync(app);
  writeProvider(app);
  const manifest = { name: 'outside', private: true, type: 'module', exports: './dist/index.js', dependencies: specs, overrides: specs };
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest));
  copyFileSync(join(outside.root, 'tools', 'src', 'snippets', 'plan-one-pod.ts'), join(app, 'src', 'plan-one-pod.ts'));
};

/** What the page of core says that its example prints. */
const expectedOutput = (root: string): string | undefined =>
  /<!-- output: \S*plan-one-pod\.ts -->\n```\w*\n([\s\S]*?)```/.exec(
    readFileSync(join(root, 'packages', 'core', 'README.md'), 'utf8'),
  )?.[1];

/** How far a size may be from the one that the page of the library states. */
const TOLERANCE = 0.25;

/** What is wrong with the size that the page states; undefined when it is about right. */
const misstated = (page: string, name: string, kib: number): string | undefined => {
  const stated = Number(new RegExp(`\\| \`${name}\` \\| (\\d+) KiB`).exec(page)?.[1]);
  return Math.abs(stated - kib) <= TOLERANCE * kib
    ? undefined
    : `docs/library.md states ${stated} KiB for ${name}: it is ${kib.toFixed(0)}`;
};

const START = `const at = performance.now(); await import(process.argv[1]); console.log((performance.now() - at).toFixed(0));`;

type NodeStep = (...args: readonly string[]) => CommandStep;

/** Prints size and time of loading of each package. Gives the sizes that the page of the library does not state. */
const misstatedSizes = ({ root, tarballs }: Outside, node: NodeStep): readonly string[] => {
  const page = readFileSync(join(root, 'docs', 'library.md'), 'utf8');
  return Object.entries(tarballs).flatMap(([name, path]) => {
    const kib = statSync(path).size / 1024;
    const { output } = runStep(node('--input-type=module', '-e', START, `@karpenter/${name}`));
    const loaded = output === '' ? 'not loadable outside of Jest' : `loaded in ${output.trim()} ms`;
    console.log(`@karpenter/${name}: ${kib.toFixed(0)} KiB packed, ${loaded}`);
    return misstated(page, `@karpenter/${name}`, kib) ?? [];
  });
};

/** What is wrong with the output of the example of core's page. */
const exampleProblems = ({ root }: Outside, node: NodeStep): readonly string[] => {
  const { output, failure } = runStep(node('dist/plan-one-pod.js'));
  if (failure !== undefined) return [failure];
  return output === expectedOutput(root) ? [] : [`the example of core's page prints something else outside: ${output}`];
};

/** What an app that only plans may install: `@karpenter/core` without a Kubernetes client. */
const PLANNER_MOST = { mebibytes: 15, packages: 10 };

/** Size of a folder's files in bytes, and how many packages are in it. */
const installed = (modules: string): { readonly bytes: number; readonly packages: number } => {
  const paths = readdirSync(modules, { recursive: true, encoding: 'utf8' }).map((path) => join(modules, path));
  const sizes = paths.map((path) => statSync(path)).filter((file) => file.isFile());
  return {
    bytes: sizes.reduce((sum, { size }) => sum + size, 0),
    packages: paths.filter((path) => /node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path)).length,
  };
};

const PLANS = `const core = await import('@karpenter/core'); await import('@karpenter/core/convert');
process.exit(core.simulate(core.snapshotOf({ nodePools: [], instanceTypes: [], pods: [] })).plannedNodes.length);`;

/**
 * What is wrong with an app that installs `@karpenter/core` alone: it must plan without a Kubernetes client, and stay
 * small.
 */
const plannerProblems = ({ folder, tarballs }: Outside): readonly string[] => {
  const cwd = join(folder, 'planner');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'planner', private: true, type: 'module' }));
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', tarballs['core'] ?? ''];
  for (const step of [
    { command: 'npm', args: install, cwd },
    { command: process.execPath, args: ['--input-type=module', '-e', PLANS], cwd },
  ]) {
    const { failure } = runStep(step);
    if (failure !== undefined) return [`with @karpenter/core alone: ${failure}`];
  }
  const { bytes, packages } = installed(join(cwd, 'node_modules'));
  const mebibytes = bytes / 2 ** 20;
  console.log(`@karpenter/core alone: ${mebibytes.toFixed(1)} MiB in ${packages} packages installed`);
  return mebibytes <= PLANNER_MOST.mebibytes && packages <= PLANNER_MOST.packages
    ? []
    : [`@karpenter/core alone may install ${PLANNER_MOST.mebibytes} MiB in ${PLANNER_MOST.packages} packages`];
};

/**
 * Installs the tarballs in an app outside the workspace, compiles the example of core's page and a new provider against
 * them, and runs both. Installs core alone in another app, which must plan without a Kubernetes client. Returns what
 * went wrong; empty when nothing did. Prints size and time of loading of each package, and holds the sizes to those
 * that the page of the library states.
 */
export const checkOutside = (outside: Outside): readonly string[] => {
  const app = join(outside.folder, 'app');
  writeApp(outside, app);
  const node: NodeStep = (...args) => ({ command: process.execPath, args, cwd: app });
  const types = join(outside.root, 'node_modules', '@types');
  const steps: readonly CommandStep[] = [
    { command: 'npm', args: ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], cwd: app },
    node(join(outside.root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.', '--typeRoots', types),
    node(
      '--input-type=module',
      '-e',
      "const { providerPlugin } = await import('outside'); if (providerPlugin.title !== 'Outside') process.exit(1);",
    ),
  ];
  for (const step of steps) {
    const { failure } = runStep(step);
    if (failure !== undefined) return [`${step.command} ${step.args[0] ?? ''}: ${failure}`];
  }
  return [...misstatedSizes(outside, node), ...exampleProblems(outside, node), ...plannerProblems(outside)];
};

/**
 * What `npm run demo`, `npm run karpenter` and `npm test` start. It runs on the host's Node (20 or newer) with no
 * dependency installed. It brings pnpm and Node 24 into the checkout when they are missing, and hands over to the task.
 * Every step says what it does and how long it took.
 */
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PNPM = 'pnpm@12.21.0';
const MINIMUM_NODE = [24, 11];
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const stamp = join(root, 'node_modules', '.karpenter-lock-hash');

const say = (text) => process.stderr.write(`\u25b8 ${text}\n`);

const seconds = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;

/** What a process ends with that a signal stopped is this, and the signal's number. */
const SIGNALLED = 128;

/** Settles with what the process ended with; never fails. */
const ended = (child) =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('exit', (status, signal) => resolve({ status: status ?? SIGNALLED + constants.signals[signal] }));
  });

/** The processes of the steps that run now. */
const running = new Set();

/** Ends this process, and the steps that run beside the one that failed. */
const fail = (status) => {
  for (const child of running) child.kill();
  process.exit(status);
};

/**
 * Runs one step with its output passed through; gives its exit code. Waits for the step to clean up after Ctrl-C, which
 * the terminal sends to both. Hands on a signal that was sent to this process alone. A quiet step shows its output only
 * when it fails.
 */
const statusOf = async (name, { command, args, isQuiet = false }) => {
  const startedAt = Date.now();
  say(`${name} …`);
  const child = spawn(command, args, { cwd: root, stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit', env: environment() });
  running.add(child);
  const output = [];
  for (const stream of isQuiet ? [child.stdout, child.stderr] : []) stream.on('data', (chunk) => output.push(chunk));
  const handOn = (signal) => void child.kill(signal);
  const wait = () => undefined;
  process.on('SIGINT', wait).on('SIGTERM', handOn).on('SIGHUP', handOn);
  const { status, error } = await ended(child);
  running.delete(child);
  process.off('SIGINT', wait).off('SIGTERM', handOn).off('SIGHUP', handOn);
  if (error) {
    say(`${name} could not start: ${error.message}`);
    fail(1);
  }
  if (status !== 0) process.stderr.write(Buffer.concat(output));
  say(status === 0 ? `${name}: done in ${seconds(startedAt)}` : `${name} failed (exit code ${status}) after ${seconds(startedAt)}`);
  return status;
};

/** Runs one step; ends this process with the step's own exit code when it fails. */
const step = async (name, how) => {
  const status = await statusOf(name, how);
  if (status !== 0) fail(status);
};

/**
 * pnpm is a dependency of `tools`, because Nx takes the root's own node_modules/.bin out of the path before it runs a
 * package's script.
 */
const bins = ['node_modules/.bin', 'tools/node_modules/.bin'].map((path) => join(root, path));

const environment = () => ({
  ...process.env,
  NX_TUI: 'false',
  NX_DAEMON: 'false',
  // Each plugin of its own in a process takes Nx two seconds at every start.
  NX_ISOLATE_PLUGINS: 'false',
  PATH: [...bins, process.env.PATH].join(delimiter),
});

/** What Node compiled is kept: later processes start from it, from sources in two thirds of the time. */
const keepCompiled = () => {
  process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'node-compiled');
};

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'pnpm-lock.yaml')))
    .digest('hex');

const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash();

const install = async () => {
  if (isInstalled()) return;
  const args = ['-y', PNPM, 'install', '--frozen-lockfile', '--reporter=append-only'];
  await step(`Installing dependencies and Node 24 with ${PNPM} (a minute or two)`, { command: 'npx', args, isQuiet: true });
  writeFileSync(stamp, lockHash());
};

/** The Node that the workspace brought; the host's own when it is new enough and the workspace has none (macOS). */
const node = () => {
  const bundled = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(bundled)) return bundled;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return process.execPath;
  say(`Node ${MINIMUM_NODE.join('.')} or newer is needed on ${process.platform}-${process.arch}; this is ${process.versions.node}`);
  return process.exit(1);
};

const nx = (target, options) => ({
  command: node(),
  args: ['node_modules/nx/dist/bin/nx.js', 'run-many', '--output-style=stream', '--parallel=2', '-t', target, ...options],
});
const bin = (name, path, args) => step(name, { command: node(), args: [path, ...args] });

/** Rules that need types, in one compiled program; then the few that only ESLint has: 256 s of the processor if that did all. */
const lint = async () => {
  await bin('Linting', 'node_modules/oxlint/bin/oxlint', []);
  await bin('Linting patterns, purity and comments', 'node_modules/eslint/bin/eslint.js', ['.', '--max-warnings=0']);
};

/**
 * All packages in one program, since each alone reads those that it imports too: 22 s of the processor instead of 85. A
 * page has types of its own, and the pure half of core none of I/O. What was right the last time is not checked again.
 */
const typecheck = async () => {
  for (const config of ['tsconfig.all.json', 'packages/core/tsconfig.pure.json', 'apps/dashboard/tsconfig.json', 'docs/tsconfig.json']) {
    const memory = join('node_modules', '.cache', 'typecheck', `${config.replaceAll('/', '-')}.tsbuildinfo`);
    const args = ['-p', config, '--incremental', '--tsBuildInfoFile', memory];
    await bin(`Type checking ${config}`, 'node_modules/typescript7/bin/tsc', args);
  }
};

/** What the sources are checked for without running them. */
const check = async () => {
  const layers = ['--config', '.dependency-cruiser.cjs', 'packages', 'apps', 'tools'];
  await bin('Checking the format', 'node_modules/prettier/bin/prettier.cjs', ['--check', '.', '--cache', '--log-level=warn']);
  await bin('Checking the layers', 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs', layers);
  await bin('Looking for unused code', 'node_modules/knip/bin/knip.js', []);
  await typecheck();
};

/**
 * Projects whose tests start in this order, before all others. Those that take longest come first, then two with one long file each,
 * which run side by side.
 */
const FIRST_TESTED = ['testkit', 'controller', 'tools', 'docs,dashboard', 'core', 'azure'].map((names) =>
  names.split(',').map((name) => `@karpenter/${name}`),
);

/**
 * Tests two groups of projects at a time. Nx would start those last on which no other depends: the controller and the tools, whose
 * longest files leave a core idle. What comes last here are many short files, of two projects at a time. Every project runs, though
 * one fails; a signal ends all.
 */
const testAll = async () => {
  const waiting = [
    ...FIRST_TESTED.map((names) => [names.join(', '), `--projects=${names.join()}`]),
    ['all other projects', `--exclude=${FIRST_TESTED.flat().join()}`],
  ];
  const failed = [];
  const testNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, projects] = next;
      // Nx would put the builds in their places once more before it tests them.
      const status = await statusOf(`Testing ${name}`, nx('test', [projects, '--excludeTaskDependencies']));
      if (status > SIGNALLED) fail(status);
      if (status !== 0) failed.push(status);
    }
  };
  await Promise.all([testNext(), testNext()]);
  if (failed.length > 0) fail(failed[0]);
};

/** What was built is packed and tested at once. */
const buildAndTest = async () => {
  keepCompiled();
  await step('Building', nx('build', []));
  await Promise.all([bin('Checking the packages', 'tools/src/check-packages.ts', []), testAll()]);
};

/** Path → size and time of the last change, of everything that the build may read. */
const sourcesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesIn(path);
    const { size, mtimeMs } = statSync(path);
    return [`${path} ${size} ${mtimeMs}`];
  });

/**
 * Builds the programs of a task. Nx takes seconds to see that nothing has changed, so it is not started then.
 */
const buildOnce = async (task, { projects, programs, options = [] }) => {
  const sources = createHash('sha256').update(lockHash());
  for (const folder of ['packages', 'apps', 'tools']) sources.update(sourcesIn(join(root, folder)).join());
  const state = sources.digest('hex');
  const stamp = join(root, 'node_modules', `.karpenter-built-${task}`);
  const isThere = [stamp, ...programs.map((path) => join(root, path))].every((path) => existsSync(path));
  if (isThere && readFileSync(stamp, 'utf8') === state) return;
  const build = nx('build', [`--projects=${projects.join()}`, ...options]);
  await step('Building (a minute or two the first time)', { ...build, isQuiet: true });
  writeFileSync(stamp, state);
};

/** Runs a program where npm was called, with no line of this one, and ends as it ends. */
const become = async (program, args) => {
  const child = spawn(node(), [join(root, program), ...args], { cwd: process.env.INIT_CWD ?? process.cwd(), stdio: 'inherit' });
  process.on('SIGINT', () => undefined).on('SIGTERM', (signal) => void child.kill(signal));
  const { status, error } = await ended(child);
  if (error) say(`${program} could not start: ${error.message}`);
  process.exit(error ? 1 : status);
};

const tasks = {
  demo: async (args) => {
    keepCompiled();
    await buildOnce('demo', {
      projects: ['@karpenter/controller', '@karpenter/dashboard', '@karpenter/tools'],
      programs: ['apps/controller/dist/main.mjs', 'tools/dist/demo.js'],
    });
    await bin('Demo', 'tools/dist/demo.js', args);
  },
  karpenter: async (args) => {
    const program = 'apps/cli/dist/main.js';
    // It is bundled from the packages' sources: nothing else has to be built.
    await buildOnce('karpenter', { projects: ['@karpenter/cli'], programs: [program], options: ['--excludeTaskDependencies'] });
    await become(program, args);
  },
  lint,
  typecheck,
  test: async () => {
    // The build leaves a core idle for most of its time.
    await Promise.all([lint(), check().then(buildAndTest)]);
  },
};

const [task, ...args] = process.argv.slice(2);
const run = tasks[task];
if (!run) {
  say(`unknown task ${JSON.stringify(task)}; one of: ${Object.keys(tasks).join(', ')}`);
  process.exit(2);
}
await install();
await run(args);

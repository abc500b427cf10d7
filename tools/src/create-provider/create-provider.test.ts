import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { nextSteps } from './next-steps.ts';
import { providerFiles } from './provider-files.ts';

jest.setTimeout(240_000);

const tools = join(import.meta.dirname, '..', '..');
const root = join(tools, '..');
const folder = mkdtempSync(join(tmpdir(), 'karpenter-provider-'));
const condition = '@karpenter/source';

/** What Nx ends with and says, without the colours that it has where it runs inside of Nx. */
const createProvider = (...args: readonly string[]) => {
  const nx = join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [nx, 'generate', '@karpenter/tools:provider', ...args, '--no-interactive'],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NX_DAEMON: 'false' },
    },
  );
  return { status, stdout: stripVTControlCharacters(stdout), stderr: stripVTControlCharacters(stderr) };
};

const run = (script: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules', script), ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

beforeAll(() => {
  expect(createProvider('my-cloud', folder)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(nextSteps(folder)),
  });
  // What `npm install` would bring, from this workspace.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(tools, 'node_modules', '@karpenter'), join(folder, 'node_modules', '@karpenter'));
  for (const name of ['@jest', '@swc', '@types']) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
});

afterAll(() => rmSync(folder, { recursive: true }));

test('what is to be done next, while nothing is published, is what the tutorial says', () => {
  const asWords = (text: string): string => text.replaceAll(/;?\s+/g, ' ');
  const [, packing = ''] = nextSteps('$PWD/../karpenter-provider-acme').split('first:\n');
  const [build, pack, , install] = packing.split(/\n| && /).map((line) => line.trim());
  const tutorial = asWords(readFileSync(join(root, 'docs', 'tutorial-provider.md'), 'utf8'));
  expect(tutorial).toContain(asWords([build, pack].join('\n')));
  expect(tutorial).toContain(`${install} npm test`);
});

test('a new provider compiles', () => {
  expect(run('typescript7/bin/tsc', '-p', '.', '--customConditions', condition)).toBe('');
});

/** Runs `npm run try` until it says something or ends; resolves with all that it said. */
const tryUntil = async (text: string, repository: string): Promise<string> => {
  const args = [`--conditions=${condition}`, '--no-warnings', 'src/try.ts', repository];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const hear = (chunk: Buffer): void => {
    said += chunk.toString();
    if (said.includes(text)) child.kill('SIGTERM');
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const [code] = (await once(child, 'close')) as [number | null];
  return `${said}ended with ${code}`;
};

test('the controller runs with a new provider: hosts join, and pods run on them', async () => {
  expect(await tryUntil('3 of 3 pods run', root)).toMatch(/my-cloud:\/\/\/\S+ joins[^]*3 of 3 pods run[^]*ended with 0$/);
});

test('a try without a built clone is refused with what was expected', async () => {
  expect(await tryUntil('is not there', folder)).toMatch(/main\.mjs is not there: expected a built clone of Karpenter/);
});

test('a new provider keeps the contract', () => {
  const environment = JSON.stringify({ customExportConditions: [condition, 'node'] });
  run('jest/bin/jest.js', '--silent', '--json', '--outputFile=result.json', `--testEnvironmentOptions=${environment}`);
  const result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as {
    readonly numPassedTests: number;
    readonly success: boolean;
  };
  expect(result).toMatchObject({ success: true, numPassedTests: 33, numPendingTests: 4 });
});

test('nothing of it is called as the template is, and its CRD is the one that it reads', () => {
  const provider = readFileSync(join(folder, 'src', 'node-class.ts'), 'utf8');
  expect(provider).toContain("{ group: 'my-cloud.example.com', version: 'v1', kind: 'MyCloudNodeClass', plural: 'mycloudnodeclasses' }");
  expect(parse(readFileSync(join(folder, 'crd.yaml'), 'utf8'))).toMatchObject({
    metadata: { name: 'mycloudnodeclasses.my-cloud.example.com' },
    spec: { group: 'my-cloud.example.com', names: { kind: 'MyCloudNodeClass', plural: 'mycloudnodeclasses' } },
  });
});

test('it is what `pnpm create-provider` asks Nx for', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(scripts['create-provider']).toBe('nx generate @karpenter/tools:provider');
});

test('a dry run names the files, and writes none', () => {
  const { status, stdout } = createProvider('my-cloud', join(folder, 'dry'), '--dry-run');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^CREATE .*\/dry\/src\/provider\.ts$/m);
  expect(readdirSync(folder)).not.toContain('dry');
});

const refusalOfName = (name: string): string =>
  `${JSON.stringify(name)} is no name for a provider: expected at most 40 small letters, digits and single hyphens, a letter first`;

test.each(['1cloud', 'a--b', 'a'.repeat(41)])('the name "%s" is refused', (name) => {
  expect(() => providerFiles(name)).toThrow(refusalOfName(name));
});

test('a name is refused with one line', () => {
  const { status, stderr } = createProvider('My Cloud', join(folder, 'other'));
  expect([status, stderr]).toEqual([1, expect.stringContaining(`${refusalOfName('My Cloud')}\n`)]);
});

test('without a name nothing is written', () => {
  expect(createProvider()).toMatchObject({ status: 1, stderr: expect.stringContaining("Required property 'name' is missing") });
});

test('what is there stays: one line names it, and nothing is written beside it', () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'README.md'), 'mine');
  const refusalOf = (target: string) => {
    const { status, stderr } = createProvider('my-cloud', target);
    return [status, stderr];
  };
  expect(refusalOf(other)).toEqual([1, expect.stringContaining(`${other} has README.md already: nothing was written\n`)]);
  expect(readdirSync(other)).toEqual(['README.md']);
  const file = join(other, 'README.md');
  expect(refusalOf(file)).toEqual([1, expect.stringContaining(`${file} is a file: expected a folder, or nothing\n`)]);
});

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type Copy, DockerfileParser, type JSONInstruction } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { copiedBundle } from '../testing/processes/bundle.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const inRoot = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8');
const text = inRoot('apps', 'controller', 'Dockerfile');
const dockerfile = DockerfileParser.parse(text);

const argumentsOf = (keyword: string): readonly string[] =>
  dockerfile
    .getInstructions()
    .filter((instruction) => instruction.getKeyword() === keyword)
    .map((instruction) => instruction.getArgumentsContent() ?? '');

interface Copied {
  /** The stage that it comes from; absent: the context. */
  readonly stage: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

const copies: readonly Copied[] = dockerfile.getCOPYs().map((copy: Copy) => {
  const words = copy.getArguments().map((argument) => argument.getValue());
  return { stage: copy.getFromFlag()?.getValue() ?? undefined, sources: words.slice(0, -1), target: words.at(-1) ?? '' };
});

const commandOf = (word: string): readonly string[] => (argumentsOf('RUN').find((run) => run.includes(word)) ?? '').split(' ');

describe('the Dockerfile', () => {
  test('is understood, and nothing in it is doubtful', () => {
    expect(validate(text).map(({ message, range }) => [range.start.line + 1, message])).toEqual([]);
  });

  test('copies only files of the repository that .dockerignore does not exclude', () => {
    const ignored = inRoot('.dockerignore').split('\n');
    const sources = copies.filter(({ stage }) => stage === undefined).flatMap(({ sources: each }) => each);
    expect(sources.length).toBeGreaterThan(2);
    for (const source of sources) {
      expect([source, existsSync(join(root, source))]).toEqual([source, true]);
      expect(ignored).not.toContain(source);
    }
  });

  test('copies from the build what the build makes', () => {
    const made = copies.filter(({ stage }) => stage === 'build').flatMap(({ sources }) => sources);
    const sbom = commandOf(' sbom ').at(-1) ?? '';
    expect(new Set(made)).toEqual(
      new Set([...['*.mjs', '*.LEGAL.txt'].map((files) => `/src/apps/controller/dist/${files}`), `/src/${sbom}`]),
    );
    expect(inRoot('apps', 'controller', 'tsup.config.ts')).toContain("entry: { main: 'src/main.ts' }");
  });

  test('builds with the Node, the pnpm and the task that are used here', () => {
    const { nodeVersion } = parse(inRoot('pnpm-workspace.yaml')) as { readonly nodeVersion: string };
    const [major] = nodeVersion.split('.');
    const [build = '', , run = ''] = argumentsOf('FROM');
    expect(build).toMatch(new RegExp(`^node:${nodeVersion}-\\S+ AS build$`));
    expect(run).toMatch(new RegExp(`^gcr\\.io/distroless/nodejs${major ?? ''}-\\S+:nonroot$`));
    const [, pnpm = ''] = /PNPM = '(\S+)'/.exec(inRoot('tools', 'bootstrap', 'run.mjs')) ?? [];
    for (const command of argumentsOf('RUN')) expect(command.startsWith(`npx -y ${pnpm} `)).toBe(true);
    expect(commandOf(' nx run ').at(-1)).toBe('@karpenter/controller:build');
  });

  test('runs as nobody, by a file that exists in the image', () => {
    const [entry] = dockerfile.getENTRYPOINTs() as readonly JSONInstruction[];
    const words = (entry?.getJSONStrings() ?? []).map((word) => word.getJSONValue());
    expect(words[0]).toBe('/nodejs/bin/node');
    expect(words[1]).toBe('/app/main.mjs');
    expect(copies.at(-1)).toMatchObject({ target: '/app/', sources: expect.arrayContaining(['/src/apps/controller/dist/*.mjs']) });
    expect(argumentsOf('USER')).toEqual(['65532:65532']);
  });

  test('leaves what runs to root: the folder is there before it becomes the working directory', () => {
    const last = (keyword: string): number => dockerfile.getInstructions().findLastIndex((each) => each.getKeyword() === keyword);
    expect(last('WORKDIR')).toBeGreaterThan(last('COPY'));
    expect(argumentsOf('WORKDIR').at(-1)).toBe('/app');
    expect(copies.slice(-3).every(({ target }) => target.startsWith('/app/'))).toBe(true);
  });
});

describe('the bundle alone', () => {
  const bundle = copiedBundle();
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-sbom-'));
  afterAll(() => {
    bundle[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  test('is plain ASCII, so that V8 keeps it with one byte a character', () => {
    const modules = readdirSync(join(bundle.path, '..')).filter((name) => name.endsWith('.mjs'));
    const odd = modules.filter((name) => readFileSync(join(bundle.path, '..', name)).some((byte) => byte > 127));
    expect({ odd, several: modules.length > 3 }).toEqual({ odd: [], several: true });
  });

  test('starts in a folder with nothing beside it, as in the image', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [bundle.path, '--help'], { env: {}, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('--cluster-name');
  });

  test('says which version it is', () => {
    const { version } = JSON.parse(inRoot('apps', 'controller', 'package.json')) as { readonly version: string };
    const { status, stdout, stderr } = spawnSync(process.execPath, [bundle.path, '--version'], { env: {}, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('holds no package that the bill of materials leaves out', () => {
    const [command = '', ...args] = commandOf(' sbom ');
    const out = join(folder, 'sbom.json');
    execFileSync(command, [...args.slice(0, -1), out], { cwd: root, stdio: 'pipe' });
    const { components } = JSON.parse(readFileSync(out, 'utf8')) as { components: readonly { readonly purl: string }[] };
    const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl).replace('pkg:npm/', '')));
    const maps = readdirSync(join(root, 'apps', 'controller', 'dist')).filter((name) => name.endsWith('.map'));
    const sources = maps.flatMap(
      (name) => (JSON.parse(inRoot('apps', 'controller', 'dist', name)) as { readonly sources: readonly string[] }).sources,
    );
    const bundled = new Set(
      sources.flatMap((source) => {
        const [, store = '', name = ''] = /\.pnpm\/([^/]+)\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
        const version = /^(?:@[^@]+|[^@]+)@([^_(]+)/.exec(store)?.[1];
        return version === undefined ? [] : [`${name}@${version}`];
      }),
    );
    expect(bundled.size).toBeGreaterThan(10);
    expect([...bundled].filter((name) => !listed.has(name))).toEqual([]);
    expect([...listed].filter((name) => name.startsWith('jest'))).toEqual([]);
  });
});

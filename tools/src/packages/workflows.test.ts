import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string;
  readonly uses?: string;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, '.github', 'workflows');
const textAt = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: textAt(folder, name),
  workflow: parse(textAt(folder, name)) as Workflow,
}));
const workflowOf = (name: string): Workflow | undefined => workflows.find((each) => each.name === name)?.workflow;

const commandsOf = ({ jobs }: Workflow): readonly string[] =>
  Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run = '' }) => (run === '' ? [] : [run])));

const manifestOf = (path: string): Readonly<Record<'scripts' | 'dependencies', Readonly<Record<string, string>>>> =>
  JSON.parse(textAt(root, path)) as Readonly<Record<'scripts' | 'dependencies', Readonly<Record<string, string>>>>;

const mistakesIn = (name: string, content: string): readonly string[] =>
  parseWorkflow({ name, content }, new NoOperationTraceWriter())
    .context.errors.getErrors()
    .map(({ message }) => message);

describe.each(workflows)('the workflow $name', ({ name, text, workflow }) => {
  test('is one that GitHub understands', () => expect(mistakesIn(name, text)).toEqual([]));

  test('runs scripts and files that there are', () => {
    const { scripts } = manifestOf('package.json');
    for (const command of commandsOf(workflow)) {
      const [, script] = /^pnpm (\S+)/.exec(command) ?? [];
      const [, file] = /^(?:node .*)?((?:tools|\.ci)\/\S+)/.exec(command) ?? [];
      if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
      if (file !== undefined) expect(existsSync(join(root, file))).toBe(true);
    }
  });

  test('installs with the pnpm of this workspace', () => {
    for (const [, version] of text.matchAll(/pnpm@(\S+)/g)) expect(version).toBe(manifestOf('tools/package.json').dependencies['pnpm']);
  });

  test('may read, and only the job that publishes may say who it is', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const asking = Object.entries(workflow.jobs).filter(([, { permissions }]) => permissions !== undefined);
    expect(asking).toEqual(
      name === 'publish.yml' ? [['publish', expect.objectContaining({ permissions: { contents: 'read', 'id-token': 'write' } })]] : [],
    );
  });
});

test('GitHub runs what every other CI runs', () => {
  expect(commandsOf(workflowOf('ci.yml') ?? { permissions: {}, jobs: {} })).toEqual(['.ci/run']);
});

test('what is published says where it comes from, passes every test, and has its provenance', () => {
  const { check, test: tested, publish } = workflowOf('publish.yml')?.jobs ?? {};
  expect(check?.steps?.at(-1)?.run).toBe('node --no-warnings tools/src/check-release.ts');
  expect(tested).toEqual({ needs: 'check', uses: './.github/workflows/ci.yml' });
  expect(publish?.needs).toBe('test');
  expect(publish?.steps?.at(-1)).toMatchObject({ run: 'pnpm release', env: { NPM_CONFIG_PROVENANCE: 'true' } });
});

test('a workflow that GitHub would refuse is noticed', () => {
  expect(mistakesIn('bad.yml', 'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    step: []\n')).not.toEqual([]);
  expect(mistakesIn('bad.yml', 'on: pushed\njobs: {}\n')).not.toEqual([]);
});

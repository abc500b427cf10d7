import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isJsonObject } from '@karpenter/runtime';
import { type Fence, fencesIn } from './fence.ts';
import { markdownPages } from './markdown-pages.ts';
import { repository } from '../repository.ts';

const SCHEDULER_CONFIG = ['podTopologySpread', 'profiles'];

/** The names at the top of a block of YAML; none when it is a list. */
const topOf = ({ language, text }: Fence): readonly string[] => {
  const content: unknown = language === 'yaml' ? parse(text) : undefined;
  return isJsonObject(content) ? Object.keys(content) : [];
};

const chartValues = new Set(Object.keys(parse(readFileSync(repository('apps/controller/chart/values.yaml'), 'utf8')) as object));

const marked =
  (name: string) =>
  ({ mark }: Fence): boolean =>
    mark?.kind === 'checked' && mark.of === name;

interface FenceCheck {
  /** The test that asks `fencesOf` for them. */
  readonly test: string;
  readonly claims: (fence: Fence) => boolean;
}

/** How blocks of pages are checked. A block that none of these claims fails a test, and so does one that two claim. */
export const fenceChecks = {
  files: { test: 'tools/src/pages/files.test.ts', claims: ({ mark }) => mark !== undefined && mark.kind !== 'checked' },
  commands: { test: 'tools/src/pages/commands.test.ts', claims: ({ language }) => ['sh', 'console'].includes(language) },
  'parts of a NodePool': { test: 'tools/src/pages/yaml.test.ts', claims: (fence) => topOf(fence).join() === 'spec' },
  'rules of a role': {
    test: 'tools/src/pages/yaml.test.ts',
    claims: ({ language, text }) => language === 'yaml' && text.startsWith('- apiGroups:'),
  },
  'values of the chart': {
    test: 'tools/src/pages/yaml.test.ts',
    claims: (fence) => topOf(fence).length > 0 && topOf(fence).every((name) => chartValues.has(name)),
  },
  'configurations of kube-scheduler': {
    test: 'tools/src/pages/yaml.test.ts',
    claims: (fence) => topOf(fence).some((name) => SCHEDULER_CONFIG.includes(name)),
  },
  'images of a provider': { test: 'tools/src/pages/provider-image.test.ts', claims: ({ language }) => language === 'dockerfile' },
  variables: { test: 'tools/src/pages/variables.test.ts', claims: ({ language }) => language === 'ini' },
  layers: { test: 'tools/src/pages/layers.test.ts', claims: marked('layers') },
  cli: { test: 'tools/src/pages/cli.test.ts', claims: marked('cli') },
  demo: { test: 'tools/src/demo/demo.test.ts', claims: marked('demo') },
} as const satisfies Readonly<Record<string, FenceCheck>>;

/** Every block of every page. */
export const allFences = (): readonly Fence[] => markdownPages().flatMap((page) => fencesIn(page, readFileSync(repository(page), 'utf8')));

/** The blocks that a check claims; throws when there are none, which would make its test say nothing. */
export const fencesOf = (check: keyof typeof fenceChecks): readonly Fence[] => {
  const fences = allFences().filter((fence) => fenceChecks[check].claims(fence));
  if (fences.length === 0) throw new Error(`no page has ${check}`);
  return fences;
};

import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { breakNames, nameHeadsOnly } from './readable-tables.ts';
import { copyRepositoryFiles, linkRepositoryFiles } from './repository-files.ts';
import { base, repositoryUrl, version, versions } from './versions.ts';

const decisions = readdirSync(new URL('../adr', import.meta.url))
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map((name) => name.replace(/\.md$/, ''))
  .map((name) => ({ text: name.replace(/^0+/, '').replaceAll('-', ' '), link: `/adr/${name}` }));

interface Link {
  readonly text: string;
  readonly link: string;
}

const page = (text: string, link: string): Link => ({ text, link });

interface Section {
  readonly text: string;
  readonly items: readonly Link[];
}

const sections: readonly Section[] = [
  {
    text: 'Start',
    items: [
      page('Getting started', '/getting-started'),
      page('Concepts', '/concepts'),
      page('Blueprints', '/blueprints'),
      page('The demo', '/demo'),
      page('From Cluster Autoscaler', '/from-cluster-autoscaler'),
      page('From the Go Karpenter', '/from-go-karpenter'),
      page('Beside the original', '/parity'),
    ],
  },
  {
    text: 'Run it',
    items: [
      page('Helm', '/helm'),
      page('The command line', '/cli'),
      page('The dashboard page', '/dashboard-page'),
      page('The Grafana dashboard', '/dashboard'),
      page('Scheduling', '/scheduling'),
      page('Disruption', '/disruption'),
      page('Troubleshooting', '/troubleshooting'),
      page('The cluster’s default spread', '/default-spread'),
      page('Device allocation', '/device-allocation'),
      page('Pods that are nominated', '/pod-nomination'),
      page('Capacity buffers', '/capacity-buffers'),
      page('Limits and fall-back', '/limits'),
      page('Azure', '/azure'),
      page('Taking an AKS cluster over', '/azure-takeover'),
      page('The Azure audit', '/azure-parity'),
      page('Nodes without machines: kwok', '/kwok'),
      page('Manifests of former versions', '/convert'),
      page('Upgrades', '/upgrades'),
      page('Security', '/security-model'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('NodePool', '/reference/nodepool'),
      page('NodeClaim', '/reference/nodeclaim'),
      page('NodeOverlay', '/reference/nodeoverlay'),
      page('RebalancePlan', '/reference/rebalanceplan'),
      page('CapacityBuffer', '/reference/capacitybuffer'),
      page('AKSNodeClass', '/reference/aksnodeclass'),
      page('Options', '/reference/options'),
      page('Metrics', '/reference/metrics'),
      page('Library', '/reference/library'),
    ],
  },
  {
    text: 'Build on it',
    items: [
      page('Core as a library', '/library'),
      page('Tutorial: a provider of your own', '/tutorial-provider'),
      page('Provider contract', '/provider-contract'),
      page('Architecture', '/architecture'),
      page('A pod’s way through it', '/walk'),
      page('Glossary', '/glossary'),
      page('How scheduling is checked', '/scheduling-coverage'),
      page('The embedded API server', '/embedded-api'),
      page('kubectl on the embedded cluster', '/kubectl'),
      page('The Azure emulator', '/azure-emulator'),
      page('Benchmarks', '/benchmarks'),
      page('Against the original', '/against-the-original'),
      page('State of things', '/status'),
      page('How it is known', '/proofs'),
    ],
  },
];

const pages = ['', 'reference/'].flatMap((folder) =>
  readdirSync(new URL(`../${folder}`, import.meta.url))
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => `/${folder}${name.replace(/\.md$/, '')}`),
);
const listed = new Set(sections.flatMap(({ items }) => items.map(({ link }) => link)));
const unlisted = pages.filter((link) => !listed.has(link));
if (unlisted.length > 0) throw new Error(`No section of the site lists ${unlisted.join(', ')}`);

const sidebar = (...further: readonly Section[]) => [...sections, ...further].map((section) => ({ ...section, items: [...section.items] }));

/** Dead links, also to files of the repository, and pages that no section lists, end the build. */
export default defineConfig({
  title: 'Karpenter in TypeScript',
  description: 'A node autoscaler for Kubernetes: launches the cheapest machines for pending pods and removes nodes that are not needed',
  base,
  cleanUrls: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  srcExclude: ['node_modules/**'],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config: (markdown) => {
      linkRepositoryFiles(markdown);
      breakNames(markdown);
      nameHeadsOnly(markdown);
    },
  },
  buildEnd: copyRepositoryFiles,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      page('Start', '/getting-started'),
      page('Reference', '/reference/nodepool'),
      page('Build a provider', '/tutorial-provider'),
      { text: version, items: [page('State of things', '/status'), page('Upgrades', '/upgrades'), ...versions] },
    ],
    ...(repositoryUrl === undefined ? {} : { socialLinks: [{ icon: 'git', link: repositoryUrl, ariaLabel: 'The repository' }] }),
    // All decisions are listed beside a decision only: there are many.
    sidebar: {
      '/adr/': sidebar({ text: 'Decisions', items: decisions }),
      '/': sidebar({ text: 'Decisions', items: decisions.slice(0, 1).map(({ link }) => page('All decisions', link)) }),
    },
  },
});

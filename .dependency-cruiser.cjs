/**
 * The rules of docs/architecture.md, held by a machine. Layers of core and of azure import downwards only, and folders
 * of one layer do not import each other. A folder of core is entered through its index.ts, and packages import each
 * other by their public entry points. No file imports itself by way of others, types included.
 */
const layers = [
  ['base'],
  ['kube'],
  ['apis'],
  ['requirements', 'convert'],
  ['catalog'],
  ['cluster'],
  ['scheduling'],
  ['disruption'],
  ['cloudprovider'],
  ['ports'],
  ['state', 'provider-kit'],
  ['actions'],
  ['controllers'],
];
const azureLayers = [
  ['apis'],
  ['images', 'quota', 'skus', 'zones'],
  ['pricing'],
  ['options'],
  ['reservations'],
  ['catalog'],
  ['bootstrap'],
  ['arm'],
  ['machines'],
  ['provider'],
  ['controllers'],
  ['convert', 'offline-catalog', 'plugin'],
  ['preflight'],
];
const src = 'packages/core/src';
const tests = '[.]test[.]ts$';
const upward = (pkg, all) =>
  all.slice(0, -1).map((names, i) => ({
    name: `${pkg}-layer-${i}-imports-downwards`,
    severity: 'error',
    from: { path: `^packages/${pkg}/src/(${names.join('|')})/`, pathNot: tests },
    to: {
      path: `^packages/${pkg}/src/(${all
        .slice(i + 1)
        .flat()
        .join('|')})/`,
    },
  }));
/** Folders of one layer do not import each other. */
const sideways = (pkg, all) =>
  all
    .filter((names) => names.length > 1)
    .map((names) => ({
      name: `${pkg}-${names.join('-')}-do-not-import-each-other`,
      severity: 'error',
      from: { path: `^packages/${pkg}/src/(${names.join('|')})/`, pathNot: tests },
      to: { path: `^packages/${pkg}/src/(${names.join('|')})/`, pathNot: `^packages/${pkg}/src/$1/` },
    }));
const onlyRuntime = (pkg, allowed) => ({
  name: `${pkg}-depends-on-${allowed.join('-and-') || 'nothing'}`,
  severity: 'error',
  from: { path: `^packages/${pkg}/src/` },
  to: { path: '^(packages|apps|tools)/', pathNot: `^packages/(${[pkg, ...allowed].join('|')})/` },
});

module.exports = {
  forbidden: [
    ...upward('core', layers),
    ...upward('azure', azureLayers),
    ...sideways('core', layers),
    ...sideways('azure', azureLayers),
    {
      name: 'azure-folders-have-a-layer',
      severity: 'error',
      from: { path: `^packages/azure/src/(?!(${azureLayers.flat().join('|')}|fuzz|testing)/)[^/]+/` },
      to: {},
    },
    {
      name: 'layers-are-entered-through-index',
      severity: 'error',
      from: { path: `^${src}/([^/]+)/`, pathNot: `${tests}|/testing/|^${src}/internal/` },
      to: { path: `^${src}/([^/]+)/.+`, pathNot: [`^${src}/$1/`, `^${src}/[^/]+/index[.]ts$`] },
    },
    {
      name: 'pure-layers-touch-no-runtime',
      severity: 'error',
      from: { path: `^${src}/(${layers.slice(0, 9).flat().join('|')})/`, pathNot: tests },
      to: { path: '^packages/runtime/|^(node:)?(fs|http|https|net|timers|worker_threads)$' },
    },
    {
      name: 'packages-import-entry-points-only',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: {
        path: '^packages/([^/]+)/src/',
        pathNot: [
          '^packages/$2/',
          '/src/index[.]ts$',
          '/src/controllers/index[.]ts$',
          '/src/internal/index[.]ts$',
          '/src/convert/index[.]ts$',
          '/src/provider-kit/index[.]ts$',
          '/src/contract/index[.]ts$',
          '/src/offline-catalog/index[.]ts$',
          '/src/client/connection/kubeconfig[.]ts$',
          '/src/programs/index[.]ts$',
          '/src/real-cluster/index[.]ts$',
        ],
      },
    },
    onlyRuntime('runtime', []),
    onlyRuntime('core', ['runtime']),
    { ...onlyRuntime('azure', ['core', 'runtime']), from: { path: '^packages/azure/src/', pathNot: `${tests}|/testing/` } },
    { ...onlyRuntime('kwok', ['core', 'runtime']), from: { path: '^packages/kwok/src/', pathNot: `${tests}|/testing/` } },
    {
      name: 'providers-and-examples-use-public-names',
      severity: 'error',
      from: { path: '^(packages/(azure|kwok)/src|tools/src/(create-provider/template|snippets))/', pathNot: `${tests}|/testing/` },
      to: { path: `^${src}/internal/` },
    },
    { ...onlyRuntime('api-server', ['runtime']), from: { path: '^packages/api-server/src/', pathNot: tests } },
    { ...onlyRuntime('api-server', ['kube-api-contract', 'runtime']), from: { path: '^packages/api-server/src/.+[.]test[.]ts$' } },
    onlyRuntime('kube-api-contract', ['runtime']),
    onlyRuntime('azure-emulator', ['runtime']),
    onlyRuntime('simulator', ['api-server', 'azure-emulator', 'core', 'kube-api-contract', 'runtime']),
    onlyRuntime('testkit', ['api-server', 'core', 'runtime', 'simulator']),
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'dist'] },
    exclude: { path: ['dist/', 'node_modules/', '[.]cjs$', '[.]mjs$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { conditionNames: ['@karpenter/source', 'import', 'node', 'default'], exportsFields: ['exports'] },
  },
};

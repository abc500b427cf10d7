import { isBuiltin } from 'node:module';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** The source of a module that hands on what `require` of a module of Node gives; esbuild drops the exports that are not used. */
const sourceOfBuiltin = (path: string): string => {
  const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => name !== 'default' && /^[A-Za-z]\w*$/.test(name));
  const exported = names.map((name) => `const own_${name} = /* @__PURE__ */ read('${name}'); export { own_${name} as ${name} };`);
  return [`const all = require('${path}'); const read = (name) => all[name]; export default all;`, ...exported].join('\n');
};

/**
 * Loads modules of Node as CommonJS does (ADR 112). An `import` reads every export of the module, and some of these load
 * more: `import 'node:http'` loads Node's own undici, HTTP/2, workers and web streams.
 */
export const requiredBuiltins: Plugin = {
  name: 'required-builtins',
  setup: (build) => {
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind }) =>
      isBuiltin(path) && kind !== 'require-call' ? { path, namespace: 'builtin', sideEffects: false } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: sourceOfBuiltin(path) }));
  },
};

/**
 * What the controller has no use for: undici, by which client-node would send requests of its own; of prom-client the push
 * of metrics and exemplars of traces; of pino transports in threads.
 */
const UNUSED = /prom-client.lib.pushgateway|@opentelemetry.api|thread-stream.index/;

const LEFT_OUT = `
  const refuse = function () { throw new TypeError('the bundle leaves out this part of a library'); };
  module.exports = Object.assign(refuse, { Agent: refuse, ProxyAgent: refuse });`;

/** Leaves out parts of libraries that no request, metric or line of the log needs. What was left out throws if it is used. */
export const usedOfLibraries: Plugin = {
  name: 'used-of-libraries',
  setup: (build) => {
    // Azure's SDK compares each body with it, and that loads Node's own undici. No request of ours has a form.
    build.initialOptions.define = { ...build.initialOptions.define, FormData: 'undefined' };
    build.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'left-out' }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: LEFT_OUT }));
    build.onLoad({ filter: UNUSED }, () => ({ contents: LEFT_OUT }));
  },
};

/** Marks a path that is being resolved, so that the plugin does not ask itself. */
const SEEN = {};

/**
 * Lets esbuild drop what nothing uses of client-node: of its 700 generated modules the reader of kubeconfigs needs none,
 * but the package does not say that loading them does nothing else.
 */
export const usedOfClientNode: Plugin = {
  name: 'used-of-client-node',
  setup: (build) => {
    build.onResolve({ filter: /^\.|^@kubernetes\/client-node$/ }, async ({ path, importer, pluginData, ...options }) => {
      if (pluginData === SEEN || !`${importer} ${path}`.includes('@kubernetes')) return undefined;
      const found = await build.resolve(path, { importer, pluginData: SEEN, ...options });
      return /@kubernetes.client-node/.test(found.path) ? { ...found, sideEffects: false } : undefined;
    });
  },
};

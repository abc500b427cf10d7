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
 * What the controller has no use for: of undici HTTP/2, a second parser and bodies that are forms; of prom-client the push
 * of metrics and exemplars of traces; of pino transports in threads.
 */
const UNUSED =
  /undici.lib.(?:dispatcher.(?:client-h2|parser-h1)|web.(?:fetch.(?:body|formdata)|webidl))|prom-client.lib.pushgateway|@opentelemetry.api|thread-stream.index/;

const LEFT_OUT = `
  const refuse = () => { throw new TypeError('the bundle leaves out this part of a library'); };
  module.exports = Object.assign(refuse, { extractBody: refuse, webidl: { is: { FormData: () => false } } });`;

/** The index of undici as far as it is used: requests through an agent. */
const USED_OF_UNDICI = `
  const Dispatcher = require('./lib/dispatcher/dispatcher');
  Object.assign(Dispatcher.prototype, { request: require('./lib/api/api-request') });
  exports.Agent = require('./lib/dispatcher/agent');`;

/**
 * Leaves out parts of libraries that no request, metric or line of the log needs: three quarters of undici, whose index
 * loads `fetch`, WebSocket, mocks and caches at once. A part that was left out throws if it is used.
 */
export const usedOfLibraries: Plugin = {
  name: 'used-of-libraries',
  setup: (build) => {
    build.initialOptions.define = {
      ...build.initialOptions.define,
      // The name by which undici knows a bundle: it leaves out its second parser then.
      esbuildDetection: '"bundle"',
      // Azure's SDK compares each body with it, and that loads Node's own undici. No request of ours has a form.
      FormData: 'undefined',
    };
    build.onLoad({ filter: /undici.index\.js$/ }, () => ({ contents: USED_OF_UNDICI }));
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

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

/** What undici has beside requests over HTTP/1.1: HTTP/2, a second parser, and bodies that are forms. */
const UNUSED_OF_UNDICI = /dispatcher.(?:client-h2|parser-h1)|web.(?:fetch.(?:body|formdata)|webidl)/;

const LEFT_OUT = `
  const refuse = () => { throw new TypeError('the bundle leaves out this part of undici'); };
  module.exports = Object.assign(refuse, { extractBody: refuse, webidl: { is: { FormData: () => false } } });`;

/** The index of undici as far as it is used: requests through an agent. */
const USED_OF_UNDICI = `
  const Dispatcher = require('./lib/dispatcher/dispatcher');
  Object.assign(Dispatcher.prototype, { request: require('./lib/api/api-request') });
  exports.Agent = require('./lib/dispatcher/agent');`;

/**
 * Leaves out of undici what no request of ours needs, three quarters of it: its index loads `fetch`, WebSocket, mocks and
 * caches at once. A part that was left out throws if it is used.
 */
export const usedOfUndici: Plugin = {
  name: 'used-of-undici',
  setup: (build) => {
    build.initialOptions.define = {
      ...build.initialOptions.define,
      // The name by which undici knows a bundle: it leaves out its second parser then.
      esbuildDetection: '"bundle"',
      // Azure's SDK compares each body with it, and that loads Node's own undici. No request of ours has a form.
      FormData: 'undefined',
    };
    build.onLoad({ filter: /undici.index\.js$/ }, () => ({ contents: USED_OF_UNDICI }));
    build.onLoad({ filter: /undici.lib.(?:dispatcher|web)/ }, ({ path }) =>
      UNUSED_OF_UNDICI.test(path) ? { contents: LEFT_OUT } : undefined,
    );
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

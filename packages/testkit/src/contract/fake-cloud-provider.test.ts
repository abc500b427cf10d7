import { aNodePool } from '../builders/index.ts';
import { FakeCloudProvider } from '../provider/index.ts';
import { describeCloudProvider } from './describe-cloud-provider.ts';

describeCloudProvider('fake', () => {
  const provider = new FakeCloudProvider();
  provider.missingNodeClasses.add('missing');
  const pool = aNodePool();
  const { template } = pool.spec;
  const nodeClassRef = { group: 'test.karpenter.dev', kind: 'TestNodeClass', name: 'default' };
  const nodePool = { ...pool, spec: { ...pool.spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } } };
  return Promise.resolve({ provider, nodePool, run: (call) => call(), [Symbol.asyncDispose]: () => Promise.resolve() });
});

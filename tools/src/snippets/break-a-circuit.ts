import { CloudProviderError } from '@karpenter/core';
import { circuitBreaker } from '@karpenter/core/provider-kit';

/** Of this example; a provider hands on the clock that it is given. */
const time = { ms: 0, now: () => time.ms };

const breaker = circuitBreaker({ clock: time, failures: 3, withinMs: 60_000, share: 0.5, openMs: 10_000, longestMs: 60_000 });

/** A cloud that is down for twenty seconds. */
const makeMachine = (): Promise<string> => {
  console.log('  north-1 is called');
  return time.ms < 20_000
    ? Promise.reject(new CloudProviderError('network', 'api.acme.example is not reached'))
    : Promise.resolve('acme:///web-1');
};

for (const atSecond of [0, 1, 2, 3, 12, 13, 32, 33]) {
  time.ms = atSecond * 1000;
  const answer = await breaker.call('machines in north-1', makeMachine).catch((error: unknown) => String(error));
  console.log(`${atSecond} s: ${answer}`);
}

import { createHttpHeaders, type PipelineRequest } from '@azure/core-rest-pipeline';
import { expect, jest, test } from '@jest/globals';
import { fuzzCases, mutatedText, mutationsOf, withinCaseTime, withinCaseTimeAsync } from '@karpenter/testkit';
import fc from 'fast-check';
import { ArmError } from '../arm/arm-error.ts';
import { answerReader } from '../arm/calls/answer-reader.ts';
import { fetchRetailPrices } from '../arm/calls/retail-prices.ts';
import { armErrorOf } from '../arm/error-codes/arm-error-of.ts';
import { cloudProviderErrorOf } from '../arm/error-codes/cloud-provider-error-of.ts';
import { launchVerdictOf } from '../arm/error-codes/launch-verdict.ts';
import { machineRefusalsIn } from '../arm/error-codes/machine-refusals.ts';
import { parseAzureOptions } from '../options/index.ts';
import { priceBookOf } from '../pricing/index.ts';
import { parseVmSize, skuOf } from '../skus/index.ts';
import { requiredVariables } from '../testing/required-variables.ts';
import { restError } from '../testing/rest-error.ts';

// A million cases take longer than the tests of others.
jest.setTimeout(3_600_000);

const endpoint = 'https://prices.example/api/retail/prices';
const item = (armSkuName: string, more: object = {}) => ({
  ...{ armSkuName, retailPrice: 0.1, skuName: armSkuName, meterName: 'D2s v5', productName: 'Dsv5 Series', isPrimaryMeterRegion: true },
  ...more,
});
const page = {
  Items: [item('Standard_D2s_v5'), item('Standard_D2s_v5', { skuName: 'D2s v5 Spot' }), item('Standard_D4s_v5')],
  NextPageLink: null,
};

test('a page of prices gives finite prices, or an error that names the price API', async () => {
  await fc.assert(
    fc.asyncProperty(mutationsOf(page), async (mutated) => {
      const sendRequest = (request: PipelineRequest) =>
        Promise.resolve({ request, headers: createHttpHeaders(), status: 200, bodyAsText: JSON.stringify(mutated) });
      const source = { endpoint, location: 'eastus', readAll: answerReader(), http: { sendRequest } };
      try {
        const { onDemand, spot } = await withinCaseTimeAsync(async () =>
          priceBookOf(await fetchRetailPrices(source, new AbortController().signal)),
        );
        for (const price of [...onDemand.values(), ...spot.values()]) expect(price > 0 && Number.isFinite(price)).toBe(true);
      } catch (error) {
        if (!(error instanceof ArmError)) throw error;
        expect(error.message).toContain('price API');
      }
    }),
    fuzzCases(10),
  );
});

const refusal = {
  error: {
    ...{ code: 'SkuNotAvailable', message: 'The requested size is not available in zone 1.', target: 'vm' },
    details: [{ code: 'QuotaExceeded', message: 'Operation could not be completed: Current Limit: 10, Additional Required: 4' }],
    innererror: { code: 'AllocationFailed', message: 'Allocation failed.' },
  },
};
const attempt = {
  ...{ zones: ['eastus-1'], zone: 'eastus-1', capacityType: 'spot' },
  size: { name: 'Standard_D2s_v5', family: 'standardDSv5Family', vCpus: 2 },
};

test('a refusal of Resource Manager is one of ours, whatever its body says', () => {
  const headers = fc.constantFrom('600', '-1', '1e309', 'soon', 'Wed, 31 Dec 9999 23:59:59 GMT', '', 'NaN');
  fc.assert(
    fc.property(mutationsOf(refusal), headers, fc.constantFrom(400, 404, 409, 429, 500, 0, 999), (body, retryAfter, status) => {
      const { code, message }: { readonly code: unknown; readonly message: unknown } = {
        ...refusal.error,
        ...(body as { error?: object }).error,
      };
      const thrown = restError(
        status,
        { code: mutatedText(code), message: mutatedText(message) },
        { headers: { 'retry-after': retryAfter }, bodyAsText: JSON.stringify(body) },
      );
      const error = withinCaseTime(() => armErrorOf(thrown, 0));
      expect(error).toBeInstanceOf(ArmError);
      if (error === undefined) return;
      expect(cloudProviderErrorOf(error).code).not.toBe('');
      expect(launchVerdictOf(error, attempt as never).error.message).toEqual(expect.any(String));
      expect(() => machineRefusalsIn(error)).not.toThrow();
    }),
    fuzzCases(20),
  );
});

const capability = (name: string, value: string) => ({ name, value });
const sku = {
  ...{ resourceType: 'virtualMachines', name: 'Standard_D2s_v5', size: 'D2s_v5', family: 'standardDSv5Family' },
  capabilities: [
    capability('vCPUs', '2'),
    capability('MemoryGB', '8'),
    capability('CpuArchitectureType', 'x64'),
    capability('HyperVGenerations', 'V1,V2'),
  ],
  locationInfo: [
    { location: 'eastus', zones: ['1', '2'], zoneDetails: [{ name: ['1'], capabilities: [capability('UltraSSDAvailable', 'True')] }] },
  ],
  restrictions: [{ type: 'Zone', values: ['eastus'], restrictionInfo: { locations: ['eastus'], zones: ['2'] } }],
};

test('names of sizes and numbers of capabilities are read, whatever they say', () => {
  const texts = mutationsOf({ name: sku.name, size: sku.size, values: sku.capabilities.map(({ value }) => value) });
  fc.assert(
    fc.property(texts, (mutated) => {
      const { name, size, values } = mutated as { readonly name?: unknown; readonly size?: unknown; readonly values?: unknown };
      const list = Array.isArray(values) ? values.map(mutatedText) : [];
      const record = {
        ...sku,
        ...{ name: mutatedText(name), size: mutatedText(size) },
        capabilities: sku.capabilities.map((each, index) => ({ ...each, value: list[index] ?? each.value })),
      };
      const read = withinCaseTime(() => skuOf(record, 'eastus'));
      expect(() => parseVmSize(mutatedText(size))).not.toThrow();
      if (read !== undefined) expect(Number.isNaN(read.vCpus + read.memoryGiB)).toBe(false);
    }),
    fuzzCases(20),
  );
});

const environment = {
  ...requiredVariables,
  ARM_CLOUD: 'AzurePublicCloud',
  NETWORK_PLUGIN: 'azure',
  NETWORK_POLICY: 'cilium',
  NODE_IDENTITIES: '',
  ADDITIONAL_TAGS: 'a=b',
  SPOT_MAX_PRICE: '-1',
};

test('options are taken, or refused with a sentence for each', () => {
  fc.assert(
    fc.property(mutationsOf(environment), (mutated) => {
      const env = Object.fromEntries(Object.entries(mutated as object).map(([name, value]) => [name, mutatedText(value)]));
      const read = withinCaseTime(() => parseAzureOptions({ flags: {}, env }));
      if (read.ok)
        expect(['AzurePublicCloud', 'AzureChinaCloud', 'AzureUSGovernmentCloud']).toContain(
          read.options.cloud.kind === 'named' ? read.options.cloud.name : 'AzurePublicCloud',
        );
      else for (const problem of read.problems) expect(problem).toMatch(/\S/);
    }),
    fuzzCases(15),
  );
});

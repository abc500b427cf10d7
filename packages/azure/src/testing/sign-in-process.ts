import { systemClock } from '@karpenter/runtime';
import { armClients } from '../arm/arm-clients.ts';
import { ArmError } from '../arm/arm-error.ts';
import { azureEnvironmentOf } from '../arm/azure-environment.ts';
import { createArmApi } from '../arm/create-arm-api.ts';
import { credentialOf } from '../arm/sign-in/credential.ts';
import { parseAzureOptions } from '../options/index.ts';

/** Signs in as the controller does, by the environment of this process, and asks ARM for one list. Prints one line. */
const signIn = async (): Promise<string> => {
  const parsed = parseAzureOptions({ env: process.env, flags: {} });
  if (!parsed.ok) return parsed.problems.join('\n');
  const { options } = parsed;
  const environment = azureEnvironmentOf(options.cloud);
  const credential = credentialOf({ environment, tenantId: options.tenantId, variables: process.env });
  const clients = armClients({ environment, subscriptionId: options.subscriptionId, credential, clock: systemClock });
  try {
    const usages = await createArmApi(clients, options, systemClock).listUsages(AbortSignal.timeout(30_000));
    return usages.length > 0 ? 'in' : 'nothing';
  } catch (error) {
    if (error instanceof ArmError) return `${error.code}: ${error.message}`;
    throw error;
  }
};

process.stdout.write(await signIn());

import type { OptionValue } from './option-reader.ts';

const ENTRY = /^(Microsoft\.[A-Za-z]+(?:\/[A-Za-z]+)*)=(\d{4}-\d{2}-\d{2}(?:-[a-z]+)?)$/i;

/**
 * Resource type or provider namespace → api-version:
 * `Microsoft.Compute=2025-04-01,Microsoft.Network/networkInterfaces=2024-05-01`.
 */
export const apiVersionMap = (text: string): OptionValue<Readonly<Record<string, string>>> => {
  const entries = text.split(',').map((entry) => entry.trim());
  const broken = entries.find((entry) => !ENTRY.test(entry));
  if (broken === undefined) return { value: Object.fromEntries(entries.map((entry) => entry.split('=') as [string, string])) };
  const wanted = 'resource types or providers with api-versions, separated by commas, as Microsoft.Compute/virtualMachines=2025-04-01';
  return { wanted: `${wanted}; ${JSON.stringify(broken)} is none` };
};

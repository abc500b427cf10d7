import { offlineCatalog } from '@karpenter/azure/catalog';

for (const location of ['eastus', 'westeurope', 'swedencentral']) {
  const catalog = offlineCatalog(location);
  const [cheapest] = (catalog?.sizes ?? [])
    .filter(({ vCpus, rejection, name }) => vCpus === 16 && rejection === undefined && /_D.*s_v5$/.test(name))
    .sort((a, b) => a.pricePerHour - b.pricePerHour || (a.name < b.name ? -1 : 1));
  console.log(`${location}: ${cheapest?.name ?? 'none'} ${String(cheapest?.pricePerHour)} USD an hour on ${catalog?.pricesAsOf ?? ''}`);
}

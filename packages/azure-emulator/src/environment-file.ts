/** What the file named by AZURE_ENVIRONMENT_FILEPATH holds: where this Azure is. */
export interface AzureEnvironmentFile {
  readonly name: string;
  readonly resourceManagerEndpoint: string;
  readonly activeDirectoryEndpoint: string;
  readonly tokenAudience: string;
  /** The retail prices of this environment; real environments of this kind have none. */
  readonly retailPricesEndpoint: string;
}

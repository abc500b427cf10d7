export { createCelEnvironment } from './crd/cel-programs.ts';
export * from './public/index.ts';
export { startLocalApi } from './local/create-local-api.ts';
export { quantityValueOf } from './quantity/quantity.ts';
export { startApiServer } from './start-api-server.ts';
export { ApiError, type ApiErrorCode, type ApiStatusCause, type StatusDetails } from './status/api-error.ts';
export type { StoredObject } from './store/stored-object.ts';
export { quotaStatusOf } from './verbs/quota-usage.ts';

export { createObjectCache, dropManagedFields, type ObjectCacheOptions } from './cache/create-object-cache.ts';
export type { IndexFunction, IndexFunctions } from './cache/object-indexes.ts';
export type { InitialRead } from './cache/list-watch.ts';
export type { ListProgress } from './cache/list-watch-run.ts';
export type { CacheChange, CacheListener, CacheReader, ObjectCache } from './cache/object-cache.ts';
export { createKubeClient, type KubeClientOptions } from './client/verbs/create-kube-client.ts';
export { createTransport } from './client/transport/create-transport.ts';
export { classifyNetworkError, classifyResponse, isAdmissionDenial } from './client/classify.ts';
export { inClusterConnection, type InClusterOptions } from './client/connection/in-cluster.ts';
export { boundedText } from './client/transport/response-reader.ts';
export { parseRetryAfter } from './client/transport/retry-after.ts';
export { type Rate, type TokenBucket, tokenBucket, TokenLevel } from './client/transport/token-bucket.ts';
export type { FinishedRequest, TransportOptions } from './client/transport/transport-options.ts';
export type { ClusterConnection, CredentialSource, TlsMaterial } from './client/connection/connection.ts';
export type { KubeCallOptions } from './client/call-options.ts';
export type {
  DeleteOptions,
  Deletion,
  Eviction,
  EvictOptions,
  KubeClient,
  ListOptions,
  ObjectList,
  ObjectPage,
  PageOptions,
  Selection,
  WatchOptions,
  WriteOptions,
} from './client/verbs/kube-client.ts';
export { KubeError, type KubeErrorCode, type KubeErrorDetails, type StatusCause } from './client/kube-error.ts';
export type { JsonPatchOperation, Patch } from './client/verbs/patch.ts';
export {
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
  urgently,
} from './client/transport/transport.ts';
export type { WatchEvent } from './client/verbs/watch-event.ts';
export { type FakeClock, fakeClock } from './clock/fake-clock.ts';
export { inSlices, type SliceOptions, yieldToEventLoop } from './clock/in-slices.ts';
export { type Clock, scaledClock, type TimerHandle } from './clock/clock.ts';
export { serverClock, type ServerClock } from './clock/server-clock.ts';
export { steadyClock, steadyNow } from './clock/steady-clock.ts';
export { systemClock } from './clock/system-clock.ts';
export { type TimeLimit, type DoneOrLate, withDeadline } from './clock/with-deadline.ts';
export { controllerAtWork } from './controller/controller-at-work.ts';
export {
  type Controller,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  settled,
  type SingletonController,
  type Watch,
  watchOf,
} from './controller/controller.ts';
export type { ControllerMetrics, LoopEnvironment, ReconcileResult } from './controller/loop-environment.ts';
export { runController } from './controller/controller-loop.ts';
export { runSingleton } from './controller/singleton-loop.ts';
export {
  createLeaderElector,
  type LeaderWork,
  type LeaderElector,
  type LeaderElectorOptions,
  type LeadershipEnd,
} from './election/leader-elector.ts';
export type { Lease } from './election/lease-claim.ts';
export { createEventRecorder, type EventRecorderOptions } from './events/create-event-recorder.ts';
export type { EventRecorder, EventSubject, RecordedEvent } from './events/event-recorder.ts';
export { errorMessage, Failures, isFailure } from './failure/failures.ts';
export { type HealthCheck, type HealthChecks, healthChecks } from './health/health-checks.ts';
export { type HealthServer, type HealthServerOptions, startHealthServer } from './health/health-server.ts';
export { type LogFields, type Logger, loggerWith, silentLogger } from './log/logger.ts';
export { logSafely, type ReportContext, reportSafely } from './log/safe-report.ts';
export { createPinoLogger, type LeveledLogger, type LogLevel, type PinoLoggerOptions } from './log/pino-logger.ts';
export { createManager, type Manager, type ManagerOptions } from './manager/create-manager.ts';
export { createRuntimeMetrics, type RuntimeMetrics } from './metrics/runtime-metrics.ts';
export { apiVersionOf, eventKind, type KindTable, kindTable, leaseKind, type ResourceKind } from './objects/resource-kind.ts';
export {
  compareResourceVersions,
  isJsonObject,
  type KubeObject,
  type KubeObjectMeta,
  type KubeOwnerReference,
  kubeTime,
  microTime,
  ownerReferenceTo,
} from './objects/kube-object.ts';
export { keyOf, keyString, type ObjectKey, parseKey } from './objects/object-key.ts';
export { type BackoffDelays, backoffMs } from './queue/backoff.ts';
export { createWorkQueue, type WorkQueueOptions } from './queue/create-work-queue.ts';
export { Turns } from './queue/turns.ts';
export type { AddOptions, WorkQueue, WorkQueueMetrics } from './queue/work-queue.ts';

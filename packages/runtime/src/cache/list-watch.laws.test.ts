import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeErrorCode } from '../client/kube-error.ts';
import {
  idleListWatch,
  type ListWatchEvent,
  type ListWatchState,
  type ListWatchStep,
  nextListWatch,
  STABLE_WATCH_MS,
} from './list-watch.ts';

const resourceVersion = fc.nat(1_000_000).map(String);
const code = fc.constantFrom<KubeErrorCode>(
  'network',
  'timeout',
  'server',
  'expired',
  'invalid',
  'forbidden',
  'not-found',
  'too-many-requests',
  'malformed',
);
const livedMs = fc.constantFrom(0, 100, STABLE_WATCH_MS, 300_000);

const event: fc.Arbitrary<ListWatchEvent> = fc.oneof(
  fc.record({ type: fc.constant('page' as const), resourceVersion }),
  fc.record({ type: fc.constant('page' as const), resourceVersion, continue: fc.constant('next') }),
  fc.record({ type: fc.constant('change' as const), resourceVersion }),
  fc.record({ type: fc.constant('bookmark' as const), resourceVersion, initialEventsEnd: fc.boolean() }),
  fc.record({ type: fc.constant('ended' as const), livedMs }),
  fc.record({ type: fc.constant('failed' as const), code, livedMs }),
  fc.constant({ type: 'waited' as const }),
  fc.constant({ type: 'absent' as const }),
);
const initialRead = fc.constantFrom('pages' as const, 'stream' as const);

/** The events that a state's own request can bring; others cannot arrive. */
const canArrive = (state: ListWatchState, { type }: ListWatchEvent): boolean => {
  const outcomes: Partial<Record<ListWatchState['name'], readonly ListWatchEvent['type'][]>> = {
    listing: ['page', 'failed', 'absent'],
    streaming: ['change', 'bookmark', 'ended', 'failed', 'absent'],
    watching: ['change', 'bookmark', 'ended', 'failed', 'absent'],
    waiting: ['waited'],
  };
  return outcomes[state.name]?.includes(type) ?? false;
};

const forEachStep = (check: (before: ListWatchState, event: ListWatchEvent, step: ListWatchStep) => void): void =>
  fc.assert(
    fc.property(initialRead, fc.array(event, { maxLength: 100 }), (read, events) => {
      let { state } = nextListWatch(idleListWatch(read), { type: 'started' });
      for (const each of events) {
        if (!canArrive(state, each)) continue;
        const step = nextListWatch(state, each);
        check(state, each, step);
        state = step.state;
      }
    }),
    { numRuns: 500 },
  );

describe('whatever happens', () => {
  test('a failure is waited out and never stops it', () =>
    forEachStep((_, { type }, step) => {
      expect(step.state.name).not.toBe('stopped');
      if (type === 'failed' || type === 'absent') expect([step.state.name, step.request?.type]).toEqual(['waiting', 'wait']);
    }));

  test('something is always under way', () =>
    forEachStep((before, _, step) => {
      // Without a new request the one before goes on: the state is the same, or a stream has become the watch it is.
      if (step.request !== undefined || step.state.name === before.name) return;
      expect([before.name, step.state.name]).toEqual(['streaming', 'watching']);
    }));

  test('waits grow with failures in a row, and only a watch that lived sets them back', () =>
    forEachStep((before, each, step) => {
      if (step.request?.type !== 'wait') return;
      const hasLived = 'livedMs' in each && each.livedMs >= STABLE_WATCH_MS && before.name === 'watching';
      expect(step.request.failures).toBe(hasLived ? 1 : before.failures + 1);
    }));

  test('the contents change only while watching, or as a whole once everything has come', () =>
    forEachStep((before, each, step) => {
      for (const action of step.actions) {
        if (action.type === 'apply') expect(before.name).toBe('watching');
        if (action.type === 'commit') {
          expect(step.state.name).toBe('watching');
          const isLastPage = each.type === 'page' && each.continue === undefined;
          expect(isLastPage || (each.type === 'bookmark' && each.initialEventsEnd)).toBe(true);
        }
      }
    }));

  test('what was staged before a failure is discarded', () =>
    forEachStep((_, { type }, step) => {
      if (type === 'failed') expect(step.actions).toContainEqual({ type: 'discard' });
    }));

  test('a version that ran out is not watched again', () =>
    forEachStep((_, each, step) => {
      if (each.type === 'failed' && each.code === 'expired') expect(step.state).not.toHaveProperty('resourceVersion');
    }));

  test('being stopped is final', () =>
    forEachStep((before, each) => {
      const stopped = nextListWatch(before, { type: 'stopped' }).state;
      expect(nextListWatch(stopped, each)).toEqual({ state: stopped, actions: [] });
    }));
});

import { expect, test } from '@jest/globals';
import { runScenarioStep, type StepStage } from './run-step.ts';

const stageWith = (parts: Partial<StepStage['ledger']> = {}, isRunning = true): StepStage => ({
  label: 'ramp/ours',
  hands: {
    create: () => Promise.resolve(),
    scale: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    relabelPool: () => Promise.resolve(),
  },
  ledger: {
    ...{ lastChangeMs: Date.now(), launches: 1, mostNodes: 4, nodeCount: 3, pricePerHour: 1, resetMostNodes: () => undefined },
    podCounts: () => ({ bound: 9, all: 10 }),
    ...parts,
  },
  running: { isRunning: () => isRunning },
  signal: new AbortController().signal,
});

const act = () => Promise.resolve();

test('a step that never comes true › unfinished, and its seconds are those that were waited', async () => {
  const figures = await runScenarioStep({ act, until: { kind: 'settled', pods: 10 }, limitMs: 100 }, stageWith());
  expect(figures).toEqual({ kind: 'settled', seconds: expect.any(Number), isFinished: false, mostNodes: 4 });
  expect(figures?.seconds).toBeGreaterThan(0.4);
});

test('machines came or went within quietMs › not settled; before that › settled at the last change', async () => {
  const step = { act, until: { kind: 'settled', pods: 10 }, limitMs: 100 } as const;
  const stage = stageWith({ podCounts: () => ({ bound: 10, all: 10 }) });
  expect(await runScenarioStep({ ...step, quietMs: 60_000 }, stage)).toMatchObject({ isFinished: false });
  expect(await runScenarioStep({ ...step, quietMs: 1 }, stage)).toMatchObject({ isFinished: true });
});

test('all pods bound › the step ends at once', async () => {
  const stage = stageWith({ podCounts: () => ({ bound: 10, all: 10 }) });
  expect(await runScenarioStep({ act, until: { kind: 'bound', pods: 10 } }, stage)).toMatchObject({ isFinished: true });
});

test('the controller ends › no figures', async () => {
  await expect(runScenarioStep({ act, until: { kind: 'bound', pods: 10 } }, stageWith({}, false))).rejects.toThrow(
    'ramp/ours: the controller ended',
  );
});

test('a pause › no figures of its own', async () => {
  expect(await runScenarioStep({ act, until: { kind: 'pause', ms: 1 } }, stageWith())).toBeUndefined();
});

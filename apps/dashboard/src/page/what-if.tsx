import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { WhatIfAnswer, WhatIfQuestion } from '../serve/what-if.ts';
import type { WorkloadRow } from '../serve/workloads.ts';
import { answerLines } from '../view/what-if-lines.ts';
import { ask, read } from './live.ts';

const EXAMPLE = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: spot
spec:
  weight: 10
  template:
    spec:
      nodeClassRef:
        group: karpenter.azure.com
        kind: AKSNodeClass
        name: default
      requirements:
        - key: karpenter.sh/capacity-type
          operator: In
          values: [spot]
`;

const Answer = ({ answer }: { readonly answer: WhatIfAnswer }) => {
  const { title, tone, lines } = answerLines(answer);
  return (
    <div class={`answer ${tone}`}>
      <p>
        <strong>{title}</strong>
      </p>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
};

interface FormProps {
  readonly submit: (question: WhatIfQuestion) => void;
  readonly isBusy: boolean;
}

/** A form that asks and does not leave the page. */
const Form = ({ title, ask: send, isBusy, children }: { title: string; ask: () => void; isBusy: boolean; children: ComponentChildren }) => (
  <form
    aria-label={title}
    onSubmit={(event) => {
      event.preventDefault();
      send();
    }}
  >
    <h3>{title}</h3>
    {children}
    <button type="submit" disabled={isBusy}>
      {isBusy ? 'Planning …' : 'Show the plan'}
    </button>
  </form>
);

const Replicas = ({ submit, isBusy }: FormProps) => {
  const [workloads, setWorkloads] = useState<readonly WorkloadRow[]>([]);
  const [workload, setWorkload] = useState('');
  const [more, setMore] = useState(10);
  const load = (): void => void read<readonly WorkloadRow[]>('api/workloads').then(setWorkloads);
  return (
    <Form title="More replicas" isBusy={isBusy} ask={() => submit({ kind: 'replicas', workload, more })}>
      <label class="field">
        Workload
        <input
          list="workloads"
          required
          value={workload}
          onFocus={load}
          onInput={({ currentTarget }) => setWorkload(currentTarget.value)}
        />
      </label>
      <datalist id="workloads">
        {workloads.map(({ name, pods }) => (
          <option key={name} value={name}>
            {pods} pods
          </option>
        ))}
      </datalist>
      <label class="field">
        Further pods
        <input
          type="number"
          min={1}
          max={5000}
          required
          value={more}
          onInput={({ currentTarget }) => setMore(currentTarget.valueAsNumber)}
        />
      </label>
    </Form>
  );
};

const OtherPool = ({ submit, isBusy }: FormProps) => {
  const [manifest, setManifest] = useState(EXAMPLE);
  return (
    <Form title="Another NodePool" isBusy={isBusy} ask={() => submit({ kind: 'nodepool', manifest })}>
      <label class="field">
        NodePool, new or changed, as YAML
        <textarea
          rows={17}
          spellcheck={false}
          required
          value={manifest}
          onInput={({ currentTarget }) => setManifest(currentTarget.value)}
        />
      </label>
    </Form>
  );
};

/** Asks what would be, and changes nothing. */
export const WhatIfForm = () => {
  const [answer, setAnswer] = useState<WhatIfAnswer | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const submit = (question: WhatIfQuestion): void => {
    setIsBusy(true);
    void ask<WhatIfAnswer>('api/what-if', question)
      .catch((): WhatIfAnswer => ({ kind: 'refused', why: 'the controller does not answer' }))
      .then(setAnswer)
      .finally(() => setIsBusy(false));
  };
  return (
    <section aria-labelledby="what-if-title">
      <h2 id="what-if-title">What if</h2>
      <p class="quiet">Plans by the code of the controller on the current cluster. Nothing is written.</p>
      <div class="forms">
        <Replicas submit={submit} isBusy={isBusy} />
        <OtherPool submit={submit} isBusy={isBusy} />
      </div>
      <div aria-live="polite">{answer === undefined ? null : <Answer answer={answer} />}</div>
    </section>
  );
};

/** A choice of one of a few values. */
export interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly of: readonly T[];
  readonly choose: (value: T) => void;
}

export const Choice = <T extends string>({ label, value, of, choose }: ChoiceProps<T>) => (
  <fieldset class="choice">
    <legend>{label}</legend>
    {of.map((each) => (
      <label key={each} class={each === value ? 'chosen' : ''}>
        <input type="radio" name={label} checked={each === value} onChange={() => choose(each)} />
        {each}
      </label>
    ))}
  </fieldset>
);

export type Unit = 'money' | 'percent' | 'number' | 'months' | 'text'

/** A step of a calculation, in words and figures. */
export interface Step {
  label: string
  /** In words: "basic pay × 1/3". */
  formula: string
  /** The same with the values inserted. */
  figures?: string
  value: string
  unit?: Unit
  /** The step uses a value without a confirmed source. */
  unverified?: true
}

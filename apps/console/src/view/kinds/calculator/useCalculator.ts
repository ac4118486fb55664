import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { CalculatorView } from '@outpost/contract/views'
import { useAddress } from '../../address.ts'
import { useSettled } from '../../fields/parts/use-options.ts'
import { useFieldForm } from '../form/useFieldForm.ts'
import type { RecordValues } from '../form/values.ts'
import { addressOf, clearedAddress, startInputs } from './address-inputs.ts'
import { inputsOf, tryRun, type Outline } from './run.ts'

/** State of a calculator: the form, its run as one types, the scenario kept to compare with, and all of it in the address. */
export function useCalculator(view: CalculatorView, outline: Outline) {
  const { address, patch } = useAddress()
  const [first] = useState(() => startInputs(outline, address))
  const { form, record } = useFieldForm(outline.fields, first)
  // The inputs are new objects at every render; compared as text they show whether the calculation has to run again.
  const text = JSON.stringify(inputsOf(outline, record))
  const trial = useMemo(() => tryRun(view, outline, JSON.parse(text) as RecordValues), [view, outline, text])
  const settled = useSettled(text, 300)
  const writeDown = useEffectEvent((inputs: RecordValues) => patch(addressOf(outline, { ...record, ...inputs })))
  useEffect(() => writeDown(JSON.parse(settled) as RecordValues), [settled])
  const comparedText = isRecord(address['compare']) ? JSON.stringify(address['compare']) : undefined
  const kept = useMemo(
    () => (comparedText === undefined ? undefined : tryRun(view, outline, JSON.parse(comparedText) as RecordValues).run),
    [view, outline, comparedText],
  )
  const reset = () => {
    form.setFieldsValue({
      ...startInputs(outline, Object.fromEntries(outline.fields.map(({ key, defaultValue }) => [key, defaultValue ?? '']))),
    })
    patch(clearedAddress(outline), { isStep: true })
  }
  const swap = () => {
    if (!kept || !trial.run) return
    const next = startInputs(outline, kept.inputs)
    form.setFieldsValue(next)
    patch({ ...addressOf(outline, next), compare: trial.run.inputs })
  }
  return {
    form,
    first,
    record,
    ...trial,
    kept,
    keep: () => patch({ compare: trial.run?.inputs }, { isStep: true }),
    drop: () => patch({ compare: undefined }),
    swap,
    reset,
  }
}

const isRecord = (value: unknown): value is RecordValues => typeof value === 'object' && value !== null && !Array.isArray(value)

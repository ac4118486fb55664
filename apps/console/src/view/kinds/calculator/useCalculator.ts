import { useEffect, useMemo } from 'react'
import type { CalculatorView } from '@outpost/contract/views'
import { useAddress } from '../../address.ts'
import { useSettled } from '../../fields/use-options.ts'
import { useFieldForm } from '../form/useFieldForm.ts'
import type { RecordValues } from '../form/values.ts'
import { addressOf, clearedAddress, startInputs } from './address-inputs.ts'
import { inputsOf, tryRun, type Outline } from './run.ts'

/** State of a calculator: the form, its run as one types, the scenario kept to compare with, and all of it in the address. */
export function useCalculator(view: CalculatorView, outline: Outline) {
  const { address, patch } = useAddress()
  const first = useMemo(() => startInputs(outline, address), [])
  const { form, record } = useFieldForm(outline.fields, first)
  const inputs = inputsOf(outline, record)
  const text = JSON.stringify(inputs)
  const trial = useMemo(() => tryRun(view, outline, inputs), [view, outline, text])
  const settled = useSettled(text, 300)
  useEffect(() => patch(addressOf(outline, { ...record, ...JSON.parse(settled) as RecordValues })), [settled])
  const compare = address['compare']
  const kept = useMemo(() => isRecord(compare) ? tryRun(view, outline, compare).run : undefined, [view, outline, JSON.stringify(compare)])
  const reset = () => {
    form.setFieldsValue({ ...startInputs(outline, Object.fromEntries(outline.fields.map(({ key, defaultValue }) => [key, defaultValue ?? '']))) })
    patch(clearedAddress(outline), { isStep: true })
  }
  const swap = () => {
    if (!kept || !trial.run) return
    const next = startInputs(outline, kept.inputs)
    form.setFieldsValue(next)
    patch({ ...addressOf(outline, next), compare: trial.run.inputs })
  }
  return { form, first, record, ...trial, kept, keep: () => patch({ compare: trial.run?.inputs }, { isStep: true }), drop: () => patch({ compare: undefined }), swap, reset }
}

const isRecord = (value: unknown): value is RecordValues => typeof value === 'object' && value !== null && !Array.isArray(value)

import { t } from '../../../session/labels.ts'
import { useMemo, useState } from 'react'
import { Form } from 'antd'
import type { FieldView } from '@outpost/contract/fields'
import { ApiError } from '../../../data/api.ts'
import { isInOtherField } from '../../focus.ts'
import { wordsOfFault } from '../../fields/parts/line-values.ts'
import { startValues, wireValues } from './values.ts'
import type { RecordValues } from './values.ts'

/**
 * State of a form made of fields. `record` is the record as it is on the screen; `place` puts a server's field
 * errors on their fields (true when each has one here), `toWire` gives what is to be sent.
 */
export function useFieldForm(fields: readonly FieldView[], base: RecordValues | undefined, given: RecordValues = {}) {
  const [form] = Form.useForm<RecordValues>()
  const [start, setStart] = useState(() => ({ ...startValues(fields, base), ...given }))
  const entered = Form.useWatch<RecordValues | undefined>([], form)
  const record = useMemo(() => ({ ...base, ...start, ...entered }), [base, start, entered])
  const read = (): RecordValues => ({ ...base, ...start, ...form.getFieldsValue(true) })
  const restart = (values: RecordValues | undefined) => {
    const next = startValues(fields, values)
    setStart(next)
    form.resetFields()
    form.setFieldsValue(next)
  }
  return {
    form,
    record,
    start,
    read,
    restart,
    toWire: () => wireValues(fields, read()),
    place: (error: unknown, sentFrom: Element | null) => placeErrors({ form, fields, error, sentFrom }),
  }
}
export type FieldForm = ReturnType<typeof useFieldForm>

interface Refusal {
  form: FieldForm['form']
  fields: readonly FieldView[]
  error: unknown
  /** What had the focus when the form was sent. */
  sentFrom: Element | null
}

/** Puts the field errors of an answer on their fields; false when one has no field here, or there are none. */
function placeErrors({ form, fields, error, sentFrom }: Refusal): boolean {
  if (!(error instanceof ApiError) || !error.fields?.length) return false
  const byKey = Map.groupBy(error.fields, ({ field }) => field.replace(/^parameters\./, '').split('.')[0] ?? field)
  const placed = fields.filter((field) => byKey.has(field.key) && !field.readOnly)
  form.setFields(
    placed.map((field) => ({
      name: field.key,
      errors: (byKey.get(field.key) ?? []).map((fault) => wordsOfFault(field, fault) ?? sentence(t(field.label), fault.message)),
    })),
  )
  const first = placed[0]
  if (first && !isInOtherField(sentFrom)) form.focusField(first.key)
  return placed.length === byKey.size
}

/** The server says "is required"; people read "Phone is required". */
export function sentence(label: string, message: string): string {
  return /^\p{Ll}/u.test(message) ? `${label} ${t(message)}` : t(message)
}

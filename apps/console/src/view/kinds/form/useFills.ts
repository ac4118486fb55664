import { useEffect, useRef } from 'react'
import type { FormInstance } from 'antd'
import type { FieldView } from '@outpost/contract/fields'
import { getRecord } from '../../../data/gateway.ts'
import { isBlank } from '../../formats.ts'
import { isSameValue, type RecordValues } from './values.ts'

interface Filling {
  form: FormInstance<RecordValues>
  /** The fields of a new record; none for one that is there. */
  fields: readonly FieldView[]
  record: RecordValues
}

/**
 * Copies what a chosen record says into the fields that are empty, by the server or, without a connection, by what this device keeps of it. Another
 * choice replaces what the former one filled in; what a person entered stays. A record that cannot be read fills in nothing.
 */
export function useFills({ form, fields, record }: Filling): void {
  const field = fields.find(({ fills, readOnly }) => fills && !readOnly)
  const chosen = field ? record[field.key] : undefined
  const filled = useRef<RecordValues>({})
  const latest = useRef({ form, field })
  useEffect(() => {
    latest.current = { form, field }
  })
  useEffect(() => {
    const { field: named, form: entered } = latest.current
    const { fills, reference } = named ?? {}
    if (!fills || typeof chosen !== 'string') return undefined
    const stop = new AbortController()
    const fill = (from: RecordValues) => {
      if (stop.signal.aborted) return
      const now = entered.getFieldsValue(true) as RecordValues
      const free = fills.keys.filter((key) => isBlank(now[key]) || isSameValue(now[key], filled.current[key]))
      filled.current = Object.fromEntries(free.map((key) => [key, from[key] ?? null]))
      entered.setFieldsValue(filled.current)
    }
    void getRecord({ load: fills.load, one: fills.one, id: chosen, entityType: reference?.to, signal: stop.signal }).then(
      fill,
      () => undefined,
    )
    return () => stop.abort()
  }, [chosen])
}

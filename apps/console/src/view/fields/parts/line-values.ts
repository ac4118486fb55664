import { holds } from '@outpost/contract/fields'
import type { FieldKind, FieldView } from '@outpost/contract/fields'
import { t } from '../../../session/labels.ts'
import { listOf } from '../choices/multiChoice.tsx'
import type { FieldKindView, RecordValues } from '../types.ts'

export type Line = RecordValues
export type ViewOf = (kind: FieldKind) => FieldKindView

/** Lines of a value; whatever else it may be holds none. */
export const linesOf = (value: unknown): Line[] => listOf(value).filter((one): one is Line => typeof one === 'object' && one !== null)

/** What a fault of a line begins with: "Line 3: Amount". Cells find their faults by it, the server's too. */
export const lineFault = (place: number, { label }: FieldView): string => `${t('Line')} ${place + 1}: ${t(label)}`

/** True where the line's other values ask for the field. */
export const isAsked = (field: FieldView, line: Line): boolean =>
  field.required === true || (field.requiredIf !== undefined && holds(field.requiredIf, line))

/** A fault that the server found in a field of a line ("lines.2.amount"), in words; undefined for others. */
export function wordsOfFault({ key, fields = [] }: FieldView, { field, message }: { field: string; message: string }): string | undefined {
  const [of, place, name] = field.split('.')
  const part = fields.find((one) => one.key === name)
  if (of !== key || place === undefined || !/^\d+$/.test(place)) return undefined
  return part ? `${lineFault(Number(place), part)} ${message}` : `${t('Line')} ${Number(place) + 1} ${message}`
}

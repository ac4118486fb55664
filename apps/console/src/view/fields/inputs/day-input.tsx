import { t } from '../../../session/labels.ts'
import { DateInput } from './date-input.tsx'

interface Props {
  id?: string
  label?: string
  value: string
  onChange: (day: string) => void
}

/** A day that is always there: emptying it keeps the last one. */
export const DayInput = ({ id, label, value, onChange }: Props) => (
  <DateInput
    id={id}
    aria-label={label}
    field={{ key: 'day', kind: 'date', label: label ?? t('Day'), required: true }}
    value={value}
    onChange={(day) => {
      if (typeof day === 'string') onChange(day)
    }}
  />
)

import { t } from '../../../session/labels.ts'
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import type { Dayjs } from 'dayjs'
import { dateShape, shownDate, shownDateTime } from '../../formats.ts'
import { forInput } from '../plain.tsx'
import type { InputProps } from '../types.ts'

const momentOf = (value: unknown): Dayjs | null => {
  const moment = value ? dayjs(value as string) : null
  return moment?.isValid() ? moment : null
}

/** Says how days are written; yyyy-MM-dd may be typed as well. */
const exampleDay = (): string => dayjs('2026-11-22').format(shownDate())

/** A day picker that may also be typed into; gives yyyy-MM-dd. */
export const DateInput = (props: InputProps) => (
  <DatePicker
    {...forInput(props)}
    className="field-wide"
    format={[shownDate(), dateShape]}
    placeholder={t('e.g. {{example}}', { example: exampleDay() })}
    value={momentOf(props.value)}
    onChange={(moment: Dayjs | null) => props.onChange?.(moment ? moment.format(dateShape) : null)}
  />
)

/** Day and minute; gives an ISO time. */
export const DateTimeInput = (props: InputProps) => (
  <DatePicker
    {...forInput(props)}
    className="field-wide"
    format={[shownDateTime(), `${dateShape} HH:mm`]}
    placeholder={t('e.g. {{example}}', { example: `${exampleDay()} 08:30` })}
    showTime={{ format: 'HH:mm', minuteStep: 5 }}
    value={momentOf(props.value)}
    onChange={(moment: Dayjs | null) => props.onChange?.(moment ? moment.toISOString() : null)}
  />
)

import { useEffect } from 'react'
import { Button } from 'antd'
import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { addDays } from '@outpost/rules/time-zone'
import { t } from '../../../session/labels.ts'
import { useToday } from '../../../view/clock.ts'
import { DayInput } from '../../../view/fields/inputs/day-input.tsx'

interface Props {
  date: string
  timeZone: string
  onDate: (date: string) => void
}

/** A day to look at: by picker, by buttons, or by the keys [ and ] and t for today. */
export function DateStepper({ date, timeZone, onDate }: Props) {
  const today = useToday(timeZone)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        (event.target as HTMLElement).closest('input, textarea, [role=combobox], [role=dialog], .leaflet-container')
      )
        return
      if (event.key === '[') onDate(addDays(date, -1))
      if (event.key === ']') onDate(addDays(date, 1))
      if (event.key === 't') onDate(today)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [date, today, onDate])
  return (
    <div className="rd-stepper" role="group" aria-label={t('Day')}>
      <Button
        icon={<LeftOutlined aria-hidden />}
        aria-label={t('Day before')}
        title={`${t('Day before')} ([)`}
        aria-keyshortcuts="["
        onClick={() => onDate(addDays(date, -1))}
      />
      <DayInput label={t('Day')} value={date} onChange={onDate} />
      <Button
        icon={<RightOutlined aria-hidden />}
        aria-label={t('Day after')}
        title={`${t('Day after')} (])`}
        aria-keyshortcuts="]"
        onClick={() => onDate(addDays(date, 1))}
      />
      <Button disabled={date === today} aria-keyshortcuts="t" title={`${t('Today')} (t)`} onClick={() => onDate(today)}>
        {t('Today')}
      </Button>
    </div>
  )
}

import { useState } from 'react'
import { Button, Segmented } from 'antd'
import { DateInput } from '../../../fields/inputs/date-input.tsx'
import { t } from '../../../../session/labels.ts'
import type { ListView } from '@outpost/contract/views'
import type { ListFilter } from '../list-state.ts'
import { presets, presetWindow, describeWindow } from './windows.ts'

type Choice = Pick<ListFilter, 'dateType' | 'from' | 'to'>
interface WindowFormProps {
  view: Pick<ListView, 'dateTypes'>
  filter: Choice
  onChange: (next: Choice) => void
  onClose: () => void
}

/** Presets at one click, two days for the rest. */
export function WindowForm({ view, filter, onChange, onClose }: WindowFormProps) {
  const [days, setDays] = useState({ from: filter.from, to: filter.to })
  const isWrong = days.from !== undefined && days.to !== undefined && days.from > days.to
  const apply = (next: Choice) => {
    onChange({ ...filter, ...next })
    onClose()
  }
  const standard = view.dateTypes?.find((one) => one.value === filter.dateType)?.period ?? 'Default period'
  const now = describeWindow(filter.from, filter.to, standard)
  const dayField = (label: string) => ({ key: label, kind: 'date' as const, label })
  return (
    <div className="window-form" role="dialog" aria-label={t('Period')}>
      {view.dateTypes && view.dateTypes.length > 1 ? (
        <Segmented
          block
          aria-label={t('Which date')}
          value={filter.dateType}
          options={view.dateTypes.map((type) => ({ value: type.value, label: t(type.label) }))}
          onChange={(dateType) => onChange({ ...filter, dateType })}
        />
      ) : null}
      <div className="window-presets">
        <Button size="small" type={filter.from || filter.to ? 'text' : 'primary'} onClick={() => apply({ from: undefined, to: undefined })}>
          {t(standard)}
        </Button>
        {presets
          .filter(({ label }) => label !== standard)
          .map((preset) => (
            <Button
              key={preset.key}
              size="small"
              type={now === preset.label ? 'primary' : 'text'}
              onClick={() => apply(presetWindow(preset))}
            >
              {t(preset.label)}
            </Button>
          ))}
      </div>
      <form
        noValidate
        className="window-days"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isWrong) apply(days)
        }}
      >
        <label htmlFor="window-from">{t('From')}</label>
        <DateInput
          id="window-from"
          field={dayField('From')}
          value={days.from}
          onChange={(from) => setDays({ ...days, from: (from as string) ?? undefined })}
        />
        <label htmlFor="window-to">{t('To')}</label>
        <DateInput
          id="window-to"
          field={dayField('To')}
          value={days.to}
          onChange={(to) => setDays({ ...days, to: (to as string) ?? undefined })}
        />
        {isWrong ? (
          <p role="alert" className="field-note">
            {t('The period ends before it starts.')}
          </p>
        ) : null}
        <Button type="primary" htmlType="submit" disabled={isWrong || (!days.from && !days.to)}>
          {t('Show this period')}
        </Button>
      </form>
    </div>
  )
}

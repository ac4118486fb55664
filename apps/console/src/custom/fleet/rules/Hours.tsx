import { Checkbox, Form, Input, Radio, Switch } from 'antd'
import type { ReactNode } from 'react'
import { t } from '../../../session/labels.ts'
import type { RuleDraft } from './rule.ts'

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const allDays = [1, 2, 3, 4, 5, 6, 7]

interface PartProps {
  draft: RuleDraft
  change: (changes: Partial<RuleDraft>) => void
  problem: string | undefined
}

/** The hours in which a rule rings, or in which it does not. */
export function Hours({ draft: { hours }, change, problem }: PartProps) {
  const time = (key: 'from' | 'to', label: string) => (
    <Time label={t(label)} value={hours?.[key] ?? ''} onChange={(value) => hours && change({ hours: { ...hours, [key]: value } })} />
  )
  return (
    <>
      <label className="fleet-switch">
        <Switch
          size="small"
          checked={hours !== null}
          onChange={(on) => change({ hours: on ? { days: allDays, from: '22:00', to: '06:00', isInverted: false } : null })}
        />{' '}
        {t('Only at certain hours')}
      </label>
      {hours ? (
        <Box problem={problem}>
          <Radio.Group
            aria-label={t('Hours')}
            value={hours.isInverted}
            onChange={(event) => change({ hours: { ...hours, isInverted: event.target.value === true } })}
            options={[
              { value: false, label: t('In these hours') },
              { value: true, label: t('Outside these hours') },
            ]}
          />
          <div className="fleet-days">
            {time('from', 'From')}
            {time('to', 'To')}
          </div>
          <Days days={hours.days} onChange={(days) => change({ hours: { ...hours, days } })} />
        </Box>
      ) : null}
    </>
  )
}

/** The time of day at which a device must (not) be in the fences. */
export function Schedule({ draft: { schedule, eventType }, change, problem }: PartProps) {
  return (
    <Box problem={problem}>
      <div className="fleet-days">
        <Time
          label={t(eventType === 'geofenceNotInside' ? 'Must be there by' : 'Must be away by')}
          value={schedule.at}
          onChange={(at) => change({ schedule: { ...schedule, at } })}
        />
      </div>
      <Days days={schedule.days} onChange={(days) => change({ schedule: { ...schedule, days } })} />
    </Box>
  )
}

const Box = ({ problem, children }: { problem: string | undefined; children: ReactNode }) => (
  <Form.Item {...(problem === undefined ? {} : { help: problem, validateStatus: 'error' as const })}>{children}</Form.Item>
)

const Time = ({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) => (
  <label>
    {label} <Input type="time" value={value} onChange={(event) => event.target.value && onChange(event.target.value)} />
  </label>
)

function Days({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  return (
    <>
      <Checkbox.Group
        aria-label={t('Days')}
        value={[...days]}
        onChange={(chosen) => onChange(chosen.toSorted((a, b) => a - b))}
        options={weekdays.map((label, index) => ({ value: index + 1, label: t(label) }))}
      />
      {days.length === 0 ? <p role="alert">{t('Choose a day at least.')}</p> : null}
    </>
  )
}

import { Button, Checkbox, Collapse, Input, InputNumber, Select } from 'antd'
import { EnvironmentOutlined } from '@ant-design/icons'
import { t } from '../../../session/labels.ts'
import { changeFields, setAgents, type PlanFields } from './draft.ts'
import { DayInput } from '../../../view/fields/inputs/day-input.tsx'
import { Labelled } from '../Labelled.tsx'
import type { EditorPart } from './part.ts'
import { minuteOfText, timeText } from '../formats.ts'

type Props = Pick<EditorPart, 'draft' | 'change' | 'people' | 'isPicking' | 'onPicking'> & { wrong: ReadonlyMap<string, string> }

const statuses = [
  { value: 'PENDING', label: 'Pending' },
  { value: 'IN PROGRESS', label: 'In progress' },
  { value: 'COMPLETED', label: 'Completed' },
  { value: 'CANCELLED', label: 'Cancelled' },
]

/** Name, days and agents; what the times are calculated with is folded away. */
export function PlanFieldsForm(props: Props) {
  const { draft, change, people, wrong } = props
  const { fields } = draft
  const set = (part: Partial<PlanFields>) => change(changeFields(draft, part))
  return (
    <section className="rp-card rp-fields" aria-label={t('The plan')}>
      <div className="rp-grid">
        <Labelled label={t('Name')} error={wrong.get('name')} isRequired>
          {(id) => <Input id={id} value={fields.name} maxLength={120} onChange={(event) => set({ name: event.target.value })} />}
        </Labelled>
        <Labelled label={t('First day')} error={wrong.get('startDate')} isRequired>
          {(id) => (
            <DayInput
              id={id}
              value={fields.startDate}
              onChange={(startDate) => set({ startDate, endDate: startDate > fields.endDate ? startDate : fields.endDate })}
            />
          )}
        </Labelled>
        <Labelled label={t('Last day')} error={wrong.get('endDate')} isRequired>
          {(id) => <DayInput id={id} value={fields.endDate} onChange={(endDate) => set({ endDate })} />}
        </Labelled>
        <Labelled label={t('Agents')} error={wrong.get('agents')} isWide>
          {(id) => (
            <Select
              id={id}
              mode="multiple"
              value={draft.agents}
              placeholder={t('Choose one or several')}
              showSearch={{ optionFilterProp: 'label' }}
              maxTagCount="responsive"
              options={people.map(({ Id, label }) => ({ value: Id, label }))}
              onChange={(agents: string[]) => change(setAgents(draft, agents))}
            />
          )}
        </Labelled>
      </div>
      <Collapse
        ghost
        size="small"
        items={[{ key: 'more', label: t('Working hours, speed, start and notes'), children: <Settings {...props} set={set} /> }]}
      />
    </section>
  )
}

function Settings({ draft, change, set, wrong, isPicking, onPicking }: Props & { set: (part: Partial<PlanFields>) => void }) {
  const { fields } = draft
  const number = (key: 'speed' | 'roadFactor' | 'longestDay', limits: { min: number; max: number; step: number }) => (id: string) => (
    <InputNumber
      id={id}
      className="field-wide"
      {...limits}
      value={fields[key]}
      onChange={(value) => (value === null ? undefined : set({ [key]: value }))}
    />
  )
  return (
    <div className="rp-grid">
      <Labelled label={t('Day begins')} error={wrong.get('dayStart')}>
        {(id) => <TimeInput id={id} value={fields.dayStart} onChange={(dayStart) => set({ dayStart })} />}
      </Labelled>
      <Labelled label={t('Day ends')} error={wrong.get('dayEnd')}>
        {(id) => <TimeInput id={id} value={fields.dayEnd} onChange={(dayEnd) => set({ dayEnd })} />}
      </Labelled>
      <Labelled label={t('Speed (km/h)')} error={wrong.get('speed')}>
        {number('speed', { min: 3, max: 130, step: 5 })}
      </Labelled>
      <Labelled label={t('Way per straight metre')} error={wrong.get('roadFactor')}>
        {number('roadFactor', { min: 1, max: 3, step: 0.1 })}
      </Labelled>
      <Labelled label={t('Longest day (hours)')} error={wrong.get('longestDay')}>
        {number('longestDay', { min: 1, max: 24, step: 0.5 })}
      </Labelled>
      <Labelled label={t('Days begin at')} isWide error={wrong.get('startLat')}>
        {(id) => (
          <div className="rp-start">
            <Input
              id={id}
              value={fields.startLocation}
              placeholder={t('e.g. the branch')}
              onChange={(event) => set({ startLocation: event.target.value })}
            />
            <Button
              aria-pressed={isPicking}
              type={isPicking ? 'primary' : 'default'}
              icon={<EnvironmentOutlined aria-hidden />}
              onClick={() => onPicking(!isPicking)}
            >
              {t(isPicking ? 'Click the map' : fields.startLat == null ? 'Set on the map' : 'Move')}
            </Button>
            {fields.startLat == null ? null : (
              <Button onClick={() => set({ startLat: null, startLng: null, returnsToStart: false })}>{t('Clear')}</Button>
            )}
          </div>
        )}
      </Labelled>
      <Labelled label={t('Status')}>
        {(id) => (
          <Select
            id={id}
            value={fields.status}
            options={statuses.map((one) => ({ ...one, label: t(one.label) }))}
            onChange={(status: string) => set({ status })}
          />
        )}
      </Labelled>
      <Labelled label={t('Notes')} isWide>
        {(id) => (
          <Input.TextArea
            id={id}
            autoSize
            value={fields.notes}
            maxLength={2_000}
            onChange={(event) => set({ notes: event.target.value })}
          />
        )}
      </Labelled>
      <div className="rp-checks">
        <Checkbox
          checked={fields.returnsToStart}
          disabled={fields.startLat == null}
          onChange={(event) => set({ returnsToStart: event.target.checked })}
        >
          {t('Back to the start at the end of the day')}
        </Checkbox>
        <Checkbox checked={draft.setTimes} onChange={(event) => change({ ...draft, setTimes: event.target.checked })}>
          {t('Move the activities to the planned times')}
        </Checkbox>
      </div>
    </div>
  )
}

const TimeInput = ({ id, value, onChange }: { id: string; value: number; onChange: (minute: number) => void }) => (
  <Input
    id={id}
    type="time"
    value={timeText(value)}
    onChange={(event) => {
      const minute = minuteOfText(event.target.value)
      if (minute !== null) onChange(minute)
    }}
  />
)

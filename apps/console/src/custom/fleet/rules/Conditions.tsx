import { Button, Form, Input, InputNumber, Select } from 'antd'
import { DeleteOutlined } from '@ant-design/icons'
import { eventValues, valuesOfEvent } from '@outpost/rules/fleet/event-values'
import { alarms } from '@outpost/contract/geo/events'
import { mostConditions, type RuleOperator } from '@outpost/contract/geo/rule-words'
import { t } from '../../../session/labels.ts'
import { DeviceChoice, FenceChoice } from './choices.tsx'
import { isNeverSaid, knownValue, lookOf, pathOfRow, type DraftCondition, type RuleDraft } from './rule.ts'

type ValueCondition = Extract<DraftCondition, { kind: 'attribute' }>

interface ConditionsProps {
  draft: RuleDraft
  change: (changes: Partial<RuleDraft>) => void
  /** What the server said about a part of the rule, by its path in the body. */
  problemAt: (path: string) => string | undefined
}

/** What else must hold, a row each: all of them, or the rule does not ring. */
export function Conditions({ draft, change, problemAt }: ConditionsProps) {
  const { conditions, eventType } = draft
  const set = (row: number, next: DraftCondition) => change({ conditions: conditions.with(row, next) })
  return (
    <fieldset className="fleet-part">
      <legend>{t('Only if')}</legend>
      {conditions.length === 0 ? <p>{t('It rings whenever that happens. Narrow it here.')}</p> : null}
      {conditions.map((one, row) => (
        // A row has no name of its own; its inputs hold nothing but what it says.
        <ConditionRow
          key={row}
          id={`rule-condition-${row}`}
          one={one}
          eventType={eventType}
          problem={problemAt(pathOfRow(draft, row))}
          onChange={(next) => set(row, next)}
          onRemove={() => change({ conditions: conditions.toSpliced(row, 1) })}
        />
      ))}
      {conditions.length < mostConditions - 1 ? (
        <Select
          id="rule-add"
          className="fleet-wide"
          aria-label={t('Add a condition')}
          placeholder={t('Add a condition')}
          value={null}
          showSearch={{ optionFilterProp: 'label' }}
          options={newConditions(eventType)}
          onChange={(key: string | null) => key !== null && change({ conditions: [...conditions, startOf(key)] })}
        />
      ) : null}
    </fieldset>
  )
}

/** What a condition may be about: the device, where it is, what the event says. */
const newConditions = (eventType: string) => [
  { value: 'device', label: t('It is one of these devices') },
  { value: 'inside', label: t('It is inside a fence') },
  { value: 'outside', label: t('It is in none of these fences') },
  ...valuesOfEvent(eventType).map((name) => ({ value: `value ${name}`, label: t(eventValues[name].label) })),
  { value: 'value ', label: t('Another value of the message') },
]

function startOf(key: string): DraftCondition {
  if (key === 'device') return { kind: 'device', ids: [] }
  if (key === 'inside' || key === 'outside') return { kind: 'fence', ids: [], where: key }
  const name = key.slice('value '.length)
  const isYesNo = knownValue(name)?.kind === 'yesNo'
  return {
    kind: 'attribute',
    name,
    operator: knownValue(name)?.kind === 'number' ? 'ge' : 'eq',
    value: isYesNo ? true : knownValue(name)?.kind === 'number' ? null : '',
  }
}

const operators: Readonly<Record<RuleOperator, string>> = {
  ge: 'is at least',
  gt: 'is more than',
  le: 'is at most',
  lt: 'is less than',
  eq: 'is',
  ne: 'is not',
}
const wheres = { of: 'It is the fence', inside: 'It is inside a fence', outside: 'It is in none of these fences' } as const

interface RowProps {
  id: string
  one: DraftCondition
  eventType: string
  problem: string | undefined
  onChange: (next: DraftCondition) => void
  onRemove: () => void
}

function titleOf(one: DraftCondition): string {
  if (one.kind === 'device') return t('It is one of these devices')
  if (one.kind === 'fence') return t(wheres[one.where])
  if (one.kind === 'alarm') return t('It is one of these alarms')
  return knownValue(one.name) ? t(knownValue(one.name)?.label ?? '') : t('Another value of the message')
}

function ConditionRow({ id, one, eventType, problem, onChange, onRemove }: RowProps) {
  const title = titleOf(one)
  const isNever = isNeverSaid(eventType, one)
  const words = problem ?? (isNever ? t('Such an event does not say this: the rule would never ring.') : undefined)
  return (
    <Form.Item
      label={title}
      htmlFor={id}
      className="fleet-condition"
      {...(words === undefined ? {} : { help: words, validateStatus: problem === undefined ? ('warning' as const) : ('error' as const) })}
      required
    >
      <div className="fleet-condition-row">
        <ConditionInput id={id} one={one} onChange={onChange} />
        <Button type="text" icon={<DeleteOutlined aria-hidden />} aria-label={t('Remove: {{name}}', { name: title })} onClick={onRemove} />
      </div>
    </Form.Item>
  )
}

function ConditionInput({ id, one, onChange }: Pick<RowProps, 'id' | 'one' | 'onChange'>) {
  if (one.kind === 'device') return <DeviceChoice id={id} value={one.ids} onChange={(ids) => onChange({ ...one, ids })} />
  if (one.kind === 'fence') return <FenceChoice id={id} value={one.ids} onChange={(ids) => onChange({ ...one, ids })} />
  if (one.kind === 'alarm') return <AlarmChoice id={id} value={one.names} onChange={(names) => onChange({ ...one, names })} />
  return <ValueInput id={id} one={one} onChange={onChange} />
}

function ValueInput({ id, one, onChange }: { id: string; one: ValueCondition; onChange: (next: ValueCondition) => void }) {
  const look = lookOf(one)
  if (look.kind === 'yesNo')
    return (
      <Select
        id={id}
        value={one.value === false ? 'no' : 'yes'}
        onChange={(next) => onChange({ ...one, value: next === 'yes' })}
        options={[
          { value: 'yes', label: t('Yes') },
          { value: 'no', label: t('No') },
        ]}
      />
    )
  const offered: readonly RuleOperator[] =
    look.kind === 'number' || !knownValue(one.name) ? ['ge', 'gt', 'le', 'lt', 'eq', 'ne'] : ['eq', 'ne']
  const shown = offered.includes(one.operator) ? offered : [...offered, one.operator]
  return (
    <>
      {knownValue(one.name) ? null : (
        <Input
          id={id}
          aria-label={t('Name of the value')}
          placeholder={t('Name, such as io239')}
          maxLength={100}
          value={one.name}
          onChange={(event) => onChange({ ...one, name: event.target.value })}
        />
      )}
      <Select
        aria-label={t('How it compares')}
        value={one.operator}
        onChange={(operator: RuleOperator) => onChange({ ...one, operator })}
        options={shown.map((value) => ({ value, label: t(operators[value]) }))}
      />
      {look.kind === 'number' ? (
        <InputNumber
          id={id}
          value={typeof one.value === 'number' ? one.value : null}
          suffix={look.unit}
          onChange={(value) => onChange({ ...one, value })}
        />
      ) : (
        <Input
          id={knownValue(one.name) ? id : `${id}-value`}
          aria-label={knownValue(one.name) ? undefined : t('Value')}
          maxLength={200}
          value={String(one.value ?? '')}
          onChange={(event) => onChange({ ...one, value: event.target.value })}
        />
      )}
    </>
  )
}

/** Alarms by their names; one that only a device knows stays. */
export function AlarmChoice({ id, value, onChange }: { id: string; value: string[]; onChange: (names: string[]) => void }) {
  const known = Object.entries(alarms).map(([name, { label }]) => ({ value: name, label: t(label) }))
  const others = value.filter((name) => !Object.hasOwn(alarms, name)).map((name) => ({ value: name, label: name }))
  return (
    <Select
      id={id}
      mode="multiple"
      showSearch={{ optionFilterProp: 'label' }}
      value={value}
      onChange={onChange}
      options={[...known, ...others]}
    />
  )
}

import { Input, InputNumber, Select } from 'antd'
import type { FormCondition, Question } from '@outpost/contract/web-forms/form'
import { t } from '../../../session/labels.ts'

interface ConditionEditorProps {
  /** What is shown or hidden, in words. */
  of: string
  condition: FormCondition | undefined
  earlier: readonly Question[]
  onChange: (condition: FormCondition | undefined) => void
}

const tests: { value: FormCondition['is']; label: string }[] = [
  { value: 'equal', label: 'is' },
  { value: 'different', label: 'is not' },
  { value: 'filled', label: 'is answered' },
  { value: 'empty', label: 'is not answered' },
]

/** When a part is shown: always, or by the answer to a question before it. */
export function ConditionEditor({ of, condition, earlier, onChange }: ConditionEditorProps) {
  if (earlier.length === 0 && !condition) return null
  const watched = earlier.find(({ key }) => key === condition?.question)
  return (
    <div className="wf-condition wf-wide" role="group" aria-label={`${t('Shown when')}, ${of}`}>
      <span>{t('Shown when')}</span>
      <Select
        aria-label={`${t('Question')}, ${of}`}
        allowClear
        placeholder={t('always')}
        value={condition?.question}
        options={earlier.map(({ key, label }, place) => ({ value: key, label: label || `${t('Question')} ${place + 1}` }))}
        onChange={(question?: string) => onChange(question === undefined ? undefined : { question, is: 'equal' })}
      />
      {condition ? (
        <Select
          aria-label={`${t('Test')}, ${of}`}
          value={condition.is}
          options={tests.map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={(is) => onChange({ ...condition, is })}
        />
      ) : null}
      {condition && watched && (condition.is === 'equal' || condition.is === 'different') ? (
        <ConditionValue of={of} condition={condition} watched={watched} onChange={(value) => onChange({ ...condition, value })} />
      ) : null}
    </div>
  )
}

interface ConditionValueProps {
  of: string
  condition: FormCondition
  watched: Question
  onChange: (value: FormCondition['value']) => void
}

/** The value that an answer is compared with, entered as the question's own kind. */
function ConditionValue({ of, condition: { value }, watched, onChange }: ConditionValueProps) {
  const label = `${t('Value')}, ${of}`
  switch (watched.kind) {
    case 'choice':
    case 'multiChoice':
      return (
        <Select
          aria-label={label}
          value={value as string | undefined}
          placeholder={t('Choose')}
          options={(watched.options ?? []).map((option) => ({ value: option.value, label: option.label }))}
          onChange={onChange}
        />
      )
    case 'boolean':
      return (
        <Select
          aria-label={label}
          value={value === undefined ? undefined : String(value)}
          placeholder={t('Choose')}
          options={[
            { value: 'true', label: t('Yes') },
            { value: 'false', label: t('No') },
          ]}
          onChange={(next) => onChange(next === 'true')}
        />
      )
    case 'number':
    case 'money':
      return (
        <InputNumber
          aria-label={label}
          controls={false}
          value={typeof value === 'number' ? value : null}
          onChange={(next) => onChange(next ?? undefined)}
        />
      )
    default:
      return (
        <Input
          aria-label={label}
          type={watched.kind === 'date' ? 'date' : 'text'}
          value={typeof value === 'string' ? value : ''}
          maxLength={500}
          onChange={(event) => onChange(event.target.value)}
        />
      )
  }
}

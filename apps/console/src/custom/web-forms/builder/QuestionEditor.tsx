import { Button, Checkbox, Input, InputNumber, Select } from 'antd'
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { answerPatterns, questionKinds, type AnswerPattern, type Question } from '@outpost/contract/web-forms/form'
import { holdsFiles } from '@outpost/rules/forms/form-faults'
import { t } from '../../../session/labels.ts'
import { DateInput } from '../../../view/fields/inputs/date-input.tsx'
import { kindLabels } from '../questions.ts'
import { ConditionEditor } from './ConditionEditor.tsx'
import { boundsOf, newOption, withKind } from './pages.ts'

interface QuestionEditorProps {
  question: Question
  earlier: readonly Question[]
  onChange: (question: Question) => void
}

/** All that a question says of itself. */
export function QuestionEditor({ question, earlier, onChange }: QuestionEditorProps) {
  const set = (over: Partial<Question>) => onChange({ ...question, ...over })
  const id = `wf-kind-${question.key}`
  return (
    <div className="wf-question-editor">
      <label className="wf-field">
        {t('Label')}
        <Input value={question.label} maxLength={120} autoFocus aria-required onChange={(event) => set({ label: event.target.value })} />
      </label>
      <div className="wf-field">
        <label htmlFor={id}>{t('Kind of answer')}</label>
        <Select
          id={id}
          value={question.kind}
          options={questionKinds.map((value) => ({ value, label: t(kindLabels[value]) }))}
          onChange={(kind) => onChange(withKind(question, kind))}
        />
      </div>
      <label className="wf-field wf-wide">
        {t('Help')}
        <Input value={question.help ?? ''} maxLength={300} onChange={(event) => set({ help: event.target.value })} />
      </label>
      {question.options && boundsOf(question.kind).includes('options') ? <Options question={question} onChange={onChange} /> : null}
      <Bounds question={question} onChange={set} />
      <Checkbox checked={question.required === true} onChange={(event) => set({ required: event.target.checked })}>
        {t('Has to be answered')}
      </Checkbox>
      <ConditionEditor
        of={question.label || t('Question')}
        condition={question.showWhen}
        earlier={earlier}
        onChange={(showWhen) => set({ showWhen })}
      />
    </div>
  )
}

function Options({ question, onChange }: Pick<QuestionEditorProps, 'question' | 'onChange'>) {
  const { options = [] } = question
  const setAll = (next: typeof options) => onChange({ ...question, options: next })
  return (
    <fieldset className="wf-options wf-wide">
      <legend>{t('Options')}</legend>
      {options.map((option, place) => (
        <span key={option.value} className="wf-option">
          <Input
            aria-label={`${t('Option')} ${place + 1}`}
            value={option.label}
            maxLength={120}
            onChange={(event) => setAll(options.map((one) => (one === option ? { ...one, label: event.target.value } : one)))}
          />
          <Button
            type="text"
            icon={<DeleteOutlined aria-hidden />}
            aria-label={`${t('Remove')}, ${t('Option')} ${place + 1}`}
            disabled={options.length <= 2}
            onClick={() => setAll(options.filter((one) => one !== option))}
          />
        </span>
      ))}
      <Button size="small" icon={<PlusOutlined aria-hidden />} onClick={() => setAll([...options, newOption()])}>
        {t('Add an option')}
      </Button>
    </fieldset>
  )
}

const patternLabels: Record<AnswerPattern, string> = {
  digits: 'Digits only',
  letters: 'Letters only',
  lettersAndDigits: 'Letters and digits',
  idNumber: 'An identity number',
}

/** The limits of the kind. */
function Bounds({ question, onChange }: { question: Question; onChange: (over: Partial<Question>) => void }) {
  const allowed = boundsOf(question.kind)
  const isText = question.kind === 'text' || question.kind === 'longText'
  const isCounted = question.kind === 'multiChoice' || holdsFiles(question)
  const number = (name: 'min' | 'max' | 'maxLength', label: string) =>
    allowed.includes(name) ? (
      <label className="wf-field" key={name}>
        {t(label)}
        <InputNumber value={question[name] ?? null} controls={false} onChange={(value) => onChange({ [name]: value ?? undefined })} />
      </label>
    ) : null
  const day = (name: 'earliest' | 'latest', label: string) =>
    allowed.includes(name) ? (
      <label className="wf-field" key={name}>
        {t(label)}
        <DateInput
          aria-label={t(label)}
          field={{ key: name, kind: 'date', label: t(label) }}
          value={question[name]}
          onChange={(day) => onChange({ [name]: typeof day === 'string' ? day : undefined })}
        />
      </label>
    ) : null
  const patternId = `wf-pattern-${question.key}`
  return (
    <>
      {number('min', isText ? 'At least so many characters' : isCounted ? 'At least so many' : 'Smallest')}
      {number('max', isCounted ? 'At most so many' : 'Largest')}
      {number('maxLength', 'At most so many characters')}
      {day('earliest', 'First day')}
      {day('latest', 'Last day')}
      {allowed.includes('pattern') ? (
        <div className="wf-field">
          <label htmlFor={patternId}>{t('May hold')}</label>
          <Select
            id={patternId}
            allowClear
            placeholder={t('Anything')}
            value={question.pattern}
            options={answerPatterns.map((value) => ({ value, label: t(patternLabels[value]) }))}
            onChange={(pattern?: AnswerPattern) => onChange({ pattern })}
          />
        </div>
      ) : null}
    </>
  )
}

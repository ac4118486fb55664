import { commandInputs, commandTypeOf } from '@outpost/contract/geo/commands'
import { Form, Input, InputNumber, Radio } from 'antd'
import { t } from '../../../session/labels.ts'

/** Parameters of commands, as a form holds them. */
export interface ParameterDraft {
  frequency: number | null
  index: number | null
  data: string
}
export const emptyParameters: ParameterDraft = { frequency: 60, index: 1, data: '' }

/** What the call takes of a command; fields that it does not know are left out. */
export function parametersOf(commandType: string, { frequency, index, data }: ParameterDraft): Record<string, string | number> {
  const needs = commandTypeOf(commandType)?.needs
  return {
    ...(needs === 'frequency' && frequency !== null ? { frequency } : {}),
    ...(needs === 'output' ? { index: index ?? 1, data: data === '1' ? 1 : 0 } : {}),
    ...(needs === 'data' ? { data } : {}),
  }
}

/** Stored parameters in the form. */
export const parameterDraftOf = ({ frequency, index, data }: Readonly<Record<string, unknown>>): ParameterDraft => ({
  frequency: typeof frequency === 'number' ? frequency : emptyParameters.frequency,
  index: typeof index === 'number' ? index : emptyParameters.index,
  data: typeof data === 'string' || typeof data === 'number' ? String(data) : '',
})

/** No parameter of the command is missing. */
export function isWholeCommand(commandType: string, { frequency, index, data }: ParameterDraft): boolean {
  const needs = commandTypeOf(commandType)?.needs
  if (needs === 'frequency') return frequency !== null
  if (needs === 'output') return index !== null
  return needs !== 'data' || data.trim() !== ''
}

interface ParametersProps {
  /** Begins the names of the inputs. */
  id: string
  commandType: string
  draft: ParameterDraft
  change: (changes: Partial<ParameterDraft>) => void
}

/** The fields of a command: seconds, an output and its state, or the tracker's own text. */
export function Parameters({ id, commandType, draft, change }: ParametersProps) {
  const { frequency, index, data } = commandInputs
  const needs = commandTypeOf(commandType)?.needs
  if (needs === 'frequency')
    return (
      <Form.Item label={t(frequency.label)} htmlFor={`${id}-frequency`}>
        <InputNumber
          id={`${id}-frequency`}
          min={frequency.min}
          max={frequency.max}
          value={draft.frequency}
          onChange={(next) => change({ frequency: next })}
        />
      </Form.Item>
    )
  if (needs === 'data')
    return (
      <Form.Item label={t(data.label)} htmlFor={`${id}-data`} required>
        <Input id={`${id}-data`} maxLength={data.maxLength} value={draft.data} onChange={(event) => change({ data: event.target.value })} />
      </Form.Item>
    )
  if (needs === 'output')
    return (
      <>
        <Form.Item label={t(index.label)} htmlFor={`${id}-index`}>
          <InputNumber
            id={`${id}-index`}
            min={index.min}
            max={index.max}
            value={draft.index}
            onChange={(next) => change({ index: next })}
          />
        </Form.Item>
        <Form.Item>
          <Radio.Group
            aria-label={t('Switch')}
            value={draft.data === '1' ? '1' : '0'}
            onChange={(event) => change({ data: String(event.target.value) })}
            options={[
              { value: '1', label: t('On') },
              { value: '0', label: t('Off') },
            ]}
          />
        </Form.Item>
      </>
    )
  return null
}

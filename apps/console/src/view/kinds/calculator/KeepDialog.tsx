import { useState } from 'react'
import { Alert, Form, Modal } from 'antd'
import type { FieldView } from '@outpost/contract/fields'
import type { CalculatorView } from '@outpost/contract/views'
import type { CalculatorRun } from '@outpost/rules/calculators/index'
import { api } from '../../../data/api.ts'
import { fillPath } from '../../../data/paths.ts'
import { queryClient } from '../../../data/query-client.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { fieldKindView } from '../../fields/index.ts'
import { ErrorText } from '../../states/index.tsx'

/** A kind of record that keeps a run, in the words of its button and dialog. */
export interface Keeping {
  keep: NonNullable<CalculatorView['keep']>
  label: string
  title: string
  offline: string
  hint: string
}

/** The kinds of record that the caller may save a run to; the one that the address names comes first. */
export function keepingsOf({ keep, keepClient }: CalculatorView, address: Readonly<Record<string, unknown>>): Keeping[] {
  const lead = keep && {
    keep,
    label: t('Lead'),
    title: t('Save to a lead'),
    offline: t('Saving to a lead needs a connection.'),
    hint: t('The server makes the sum again and keeps it with the lead; it is not changed afterwards.'),
  }
  const client = keepClient && {
    keep: keepClient,
    label: t('Client'),
    title: t('Save to a client'),
    offline: t('Saving to a client needs a connection.'),
    hint: t('The server makes the sum again and keeps it with the client; it is not changed afterwards.'),
  }
  return (address['client'] === undefined ? [lead, client] : [client, lead]).filter((one) => one !== undefined)
}

interface KeepProps {
  keeping: Keeping
  /** The record that is chosen already. */
  given: string | null
  run: CalculatorRun
  onClose: () => void
}

/** Chooses the record that keeps the run. The server makes the sum again from the inputs. */
export function SaveRunDialog({ keeping: { keep, label, title, hint }, given, run, onClose }: KeepProps) {
  const [id, setId] = useState(given)
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const field: FieldView = { key: 'record', kind: 'reference', label, required: true, reference: keep.record }
  const { Input } = fieldKindView('reference')
  const save = async () => {
    if (!id) return
    setSaving(true)
    setError(undefined)
    try {
      const answer = await api.call(keep.call.method, fillPath(keep.call.path, { id }), {
        body: { calculator: run.calculator, ruleSetVersion: run.ruleSet.version, inputs: run.inputs },
      })
      await queryClient.invalidateQueries({ queryKey: ['records', keep.record.to] })
      toast.success({ title: answer.message ?? t('Saved') })
      onClose()
    } catch (cause) {
      setError(cause)
    } finally {
      setSaving(false)
    }
  }
  return (
    <Modal
      open
      title={title}
      okText={t('Save')}
      cancelText={t('Cancel')}
      okButtonProps={{ disabled: !id, loading: isSaving }}
      onOk={() => void save()}
      onCancel={onClose}
    >
      {error === undefined ? null : <Alert className="form-alert" type="error" showIcon role="alert" title={<ErrorText error={error} />} />}
      <Form noValidate layout="vertical">
        <Form.Item label={label} required htmlFor="calculator-record" extra={hint}>
          <Input
            field={field}
            id="calculator-record"
            value={id}
            onChange={(value) => setId(typeof value === 'string' ? value : null)}
            autoFocus
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}

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

interface KeepProps {
  keep: NonNullable<CalculatorView['keep']>
  run: CalculatorRun
  onClose: () => void
}

/** Chooses the record that keeps the run. The server makes the sum again from the inputs. */
export function SaveRunDialog({ keep, run, onClose }: KeepProps) {
  const [id, setId] = useState<string | null>(null)
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  const field: FieldView = { key: 'record', kind: 'reference', label: t('Lead'), required: true, reference: keep.record }
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
      title={t('Save to a lead')}
      okText={t('Save')}
      cancelText={t('Cancel')}
      okButtonProps={{ disabled: !id, loading: isSaving }}
      onOk={() => void save()}
      onCancel={onClose}
    >
      {error === undefined ? null : <Alert className="form-alert" type="error" showIcon role="alert" title={<ErrorText error={error} />} />}
      <Form noValidate layout="vertical">
        <Form.Item
          label={t('Lead')}
          required
          htmlFor="calculator-lead"
          extra={t('The server makes the sum again and keeps it with the lead; it is not changed afterwards.')}
        >
          <Input
            field={field}
            id="calculator-lead"
            value={id}
            onChange={(value) => setId(typeof value === 'string' ? value : null)}
            autoFocus
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}

import { useState } from 'react'
import { Alert, Button, Checkbox, Input, Popconfirm } from 'antd'
import { PlusOutlined } from '@ant-design/icons'
import type { CallBody } from '@outpost/client/client'
import { call } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { ErrorText } from '../../view/states/index.tsx'
import { editedStages, faultsOf, newStage, type EditorData, type Pipeline } from './pipelines.ts'
import { StageList } from './StageList.tsx'

/** One pipeline with its stages, saved as a whole. */
export function PipelineForm({ pipeline, data, onClose }: { pipeline: Pipeline; data: EditorData; onClose: () => void }) {
  const [name, setName] = useState(pipeline.name)
  const [isDefault, setDefault] = useState(pipeline.isDefault)
  const [stages, setStages] = useState(() => editedStages(pipeline))
  const [isTried, setTried] = useState(false)
  const { run, error, isRunning } = useCall(onClose)
  const faults = faultsOf(pipeline.entity, stages)
  const nameFault = name.trim() === ''
  const save = () => {
    setTried(true)
    if (faults.size > 0 || nameFault) return
    const body = { name: name.trim(), isDefault, stages: stages.map(({ key: _, ...stage }) => stage) }
    const isShorter = pipeline.stages.some(({ Id }) => !stages.some((stage) => stage.Id === Id))
    const before = {
      name: pipeline.name,
      isDefault: pipeline.isDefault,
      stages: editedStages(pipeline).map(({ key: _, ...stage }) => stage),
    }
    const put = (id: string, given: typeof body) =>
      call('pipelines.update', { params: { id }, body: given as unknown as CallBody<'pipelines.update'> })
    const { Id, entity } = pipeline
    void run(
      () => (Id ? put(Id, body) : call('pipelines.create', { body: { ...body, entity } as unknown as CallBody<'pipelines.create'> })),
      Id && isShorter ? () => put(Id, before) : undefined,
    )
  }
  return (
    <form
      className="pl-form"
      noValidate
      aria-label={t(pipeline.Id ? 'Edit pipeline' : 'New pipeline')}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className="pl-top">
        <label className="pl-name">
          {t('Name')}
          <Input
            value={name}
            maxLength={80}
            disabled={!data.mayEdit}
            aria-required
            status={isTried && nameFault ? 'error' : undefined}
            aria-invalid={isTried && nameFault}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <Checkbox checked={isDefault} disabled={!data.mayEdit} onChange={(event) => setDefault(event.target.checked)}>
          {t('Default of this tenant and all below it')}
        </Checkbox>
      </div>
      {isTried && nameFault && (
        <p className="field-note" role="alert">
          {t('The pipeline needs a name')}
        </p>
      )}
      <p className="pl-hint">
        {t('Drag a stage by its handle, or focus the handle, press Space and move it with the arrow keys. Each status is in one stage.')}
      </p>
      <StageList entity={pipeline.entity} data={data} stages={stages} faults={isTried ? faults : new Map()} onChange={setStages} />
      {data.mayEdit && (
        <Button type="dashed" block icon={<PlusOutlined aria-hidden />} onClick={() => setStages((before) => [...before, newStage()])}>
          {t('Add a stage')}
        </Button>
      )}
      {isTried && faults.size > 0 && (
        <p className="field-note" role="alert">
          {t('Some stages are not complete yet.')}
        </p>
      )}
      {error === undefined ? null : <Alert type="error" showIcon role="alert" title={<ErrorText error={error} />} />}
      <div className="pl-actions">
        {data.mayEdit && (
          <Button type="primary" htmlType="submit" loading={isRunning}>
            {t('Save')}
          </Button>
        )}
        <Button onClick={onClose}>{t(data.mayEdit ? 'Cancel' : 'Back')}</Button>
        {data.mayEdit && pipeline.Id && (
          <Popconfirm
            title={t('Delete this pipeline?')}
            okText={t('Delete')}
            cancelText={t('Cancel')}
            okButtonProps={{ danger: true }}
            onConfirm={() =>
              run(
                () => call('pipelines.remove', { body: { id: pipeline.Id } }),
                () => call('pipelines.restore', { body: { ids: [String(pipeline.Id)] } }),
              )
            }
          >
            <Button danger className="pl-delete">
              {t('Delete')}
            </Button>
          </Popconfirm>
        )}
      </div>
    </form>
  )
}

/** Makes a call, says how it went, with a way back where there is one, and closes after it did. */
function useCall(onDone: () => void) {
  const [error, setError] = useState<unknown>()
  const [isRunning, setRunning] = useState(false)
  const run = async (call: () => Promise<{ message?: string }>, undo?: () => Promise<unknown>) => {
    setRunning(true)
    setError(undefined)
    try {
      const { message } = await call()
      await refresh()
      toast.success({ title: message ?? t('Saved'), ...(undo ? { action: { label: t('Undo'), run: () => void takeBack(undo) } } : {}) })
      onDone()
    } catch (cause) {
      setError(cause)
    } finally {
      setRunning(false)
    }
  }
  return { run, error, isRunning }
}

async function refresh(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.records('pipeline') })
  await queryClient.invalidateQueries({ queryKey: keys.records('pipelineStage') })
}

async function takeBack(undo: () => Promise<unknown>): Promise<void> {
  try {
    await undo()
    await refresh()
    toast.info({ title: t('Undone') })
  } catch (cause) {
    toast.danger({ title: t('Not undone'), body: cause instanceof Error ? cause.message : '' })
  }
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Form, Input, InputNumber, Segmented } from 'antd'
import { omit } from 'es-toolkit/object/omit'
import { pick } from 'es-toolkit/object/pick'
import { useMemo, useState } from 'react'
import { call, type CallData } from '../../../data/calls.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import type { CustomProps } from '../../props.ts'
import { UnloadedEditor } from '../UnloadedEditor.tsx'
import { errorText } from '../error-text.ts'
import { FenceFields, type FenceForm } from './FenceFields.tsx'
import { FenceMap, type Drawn, type Task } from './FenceMap.tsx'
import type { Fence, GeoShape } from './fences.ts'
import { useHistory } from './history.ts'
import { ShapeActs } from './ShapeActs.tsx'
import '../fleet.css'

interface Draft extends FenceForm {
  shape: Fence['shape']
  area: GeoShape | null
}
const empty: Draft = {
  name: '',
  type: 'geofence',
  shape: 'polygon',
  area: null,
  radius: 200,
  speedLimit: null,
  enterDelay: 0,
  exitDelay: 0,
  description: '',
  tags: [],
  tenantId: null,
  isActive: true,
}

/** A fence is drawn on the map: an area with its holes, a circle, or a corridor along a line. */
export function FenceEditor({ params: { id } }: CustomProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['records', 'fence', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => (await call('fences.get', { params: { id: id ?? '' } }, { signal })).data.fence,
  })
  if (id === undefined) return <Editor start={empty} />
  if (data && !error) return <Editor key={data.version} id={id} start={startOf(data)} />
  return <UnloadedEditor title={t('Fence')} what={t('This fence')} error={error} onRetry={() => void refetch()} />
}

const startOf = (fence: CallData<'fences.get'>['fence']): Draft & { version?: number } => ({
  ...pick(fence, [
    'version',
    'name',
    'type',
    'shape',
    'area',
    'radius',
    'speedLimit',
    'enterDelay',
    'exitDelay',
    'tags',
    'tenantId',
    'isActive',
  ]),
  description: fence.description ?? '',
})

function Editor({ id, start }: { id?: string; start: Draft & { version?: number } }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [draft, setDraft] = useState<FenceForm>(() => omit(start, ['shape', 'area', 'version']))
  const drawn = useHistory<Drawn>({ shape: start.shape, area: start.area })
  const [task, setTask] = useState<Task>()
  const { shape } = drawn.now
  const change = (changes: Partial<FenceForm>) => setDraft((before) => ({ ...before, ...changes }))
  const save = useMutation({
    mutationFn: () => {
      const { radius, description, tenantId, ...others } = draft
      const body = {
        ...others,
        ...drawn.now,
        radius: shape === 'polygon' ? null : radius,
        description: description.trim() === '' ? null : description,
        ...(tenantId === null ? {} : { tenantId }),
      }
      return id === undefined
        ? call('fences.create', { body })
        : call('fences.update', {
            params: { id },
            body: { ...body, ...(start.version === undefined ? {} : { version: start.version }) },
          })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['records', 'fence'] })
      toast.success({ title: t('Fence saved'), body: draft.name })
      void navigate({ to: '/tracking/fences' })
    },
  })
  const { name, type, radius } = draft
  const look = useMemo(() => ({ name, type, radius }), [name, type, radius])
  const isReady = name.trim() !== '' && drawn.now.area !== null
  return (
    <>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{id === undefined ? t('New fence') : draft.name}</h1>
        </div>
      </header>
      <div className="fleet-editor">
        <Form noValidate layout="vertical" onFinish={() => save.mutate()}>
          <Form.Item label={t('Name')} htmlFor="fence-name" required>
            <Input id="fence-name" maxLength={120} value={draft.name} onChange={(event) => change({ name: event.target.value })} />
          </Form.Item>
          <Form.Item label={t('Shape')}>
            <Segmented
              aria-label={t('Shape')}
              value={shape}
              onChange={(next: Fence['shape']) => {
                drawn.set({ shape: next, area: null })
                setTask(undefined)
              }}
              options={[
                { value: 'polygon', label: t('Area') },
                { value: 'circle', label: t('Circle') },
                { value: 'route', label: t('Corridor') },
              ]}
            />
          </Form.Item>
          <ShapeActs drawn={drawn} radius={radius} task={task} onTask={setTask} />
          {shape === 'polygon' ? null : (
            <Form.Item label={shape === 'circle' ? t('Radius (m)') : t('Metres to each side')} htmlFor="fence-radius">
              <InputNumber id="fence-radius" min={5} max={200_000} value={draft.radius} onChange={(radius) => change({ radius })} />
            </Form.Item>
          )}
          <FenceFields form={draft} onChange={change} />
          {save.error ? <Alert type="error" showIcon title={errorText(save.error)} /> : null}
          <div className="fleet-acts">
            <Button type="primary" htmlType="submit" disabled={!isReady} loading={save.isPending}>
              {t('Save')}
            </Button>
            <Button onClick={() => void navigate({ to: '/tracking/fences' })}>{t('Cancel')}</Button>
          </div>
        </Form>
        <FenceMap id={id} drawn={drawn} look={look} task={task} onTask={setTask} />
      </div>
    </>
  )
}

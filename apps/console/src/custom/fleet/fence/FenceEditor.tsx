import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Form, Input, InputNumber, Segmented, Switch } from 'antd'
import { useMemo, useState } from 'react'
import { call, type CallData } from '../../../data/calls.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import type { CustomProps } from '../../props.ts'
import { UnloadedEditor } from '../UnloadedEditor.tsx'
import { errorText } from '../error-text.ts'
import { FenceMap, type Drawn, type Task } from './FenceMap.tsx'
import type { Fence, GeoShape } from './fences.ts'
import { useHistory } from './history.ts'
import { ShapeActs } from './ShapeActs.tsx'
import '../fleet.css'

interface Form {
  name: string
  type: 'geofence' | 'poi'
  radius: number | null
  speedLimit: number | null
  description: string
  isActive: boolean
}
interface Draft extends Form {
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
  description: '',
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

const startOf = ({ description, ...fence }: CallData<'fences.get'>['fence']): Draft & { version?: number } => ({
  ...fence,
  description: description ?? '',
})

function Editor({ id, start }: { id?: string; start: Draft & { version?: number } }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [draft, setDraft] = useState<Form>(start)
  const drawn = useHistory<Drawn>({ shape: start.shape, area: start.area })
  const [task, setTask] = useState<Task>()
  const { shape } = drawn.now
  const change = (changes: Partial<Form>) => setDraft((before) => ({ ...before, ...changes }))
  const save = useMutation({
    mutationFn: () => {
      const { name, type, radius, speedLimit, description, isActive } = draft
      const body = {
        name,
        type,
        ...drawn.now,
        radius: shape === 'polygon' ? null : radius,
        speedLimit,
        description: description.trim() === '' ? null : description,
        isActive,
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
          <Form.Item label={t('Speed limit (km/h)')} htmlFor="fence-speed">
            <InputNumber id="fence-speed" min={1} max={300} value={draft.speedLimit} onChange={(speedLimit) => change({ speedLimit })} />
          </Form.Item>
          <Form.Item label={t('Description')} htmlFor="fence-description">
            <Input.TextArea
              id="fence-description"
              autoSize
              maxLength={1_000}
              value={draft.description}
              onChange={(event) => change({ description: event.target.value })}
            />
          </Form.Item>
          <label className="fleet-switch">
            <Switch size="small" checked={draft.type === 'poi'} onChange={(on) => change({ type: on ? 'poi' : 'geofence' })} />{' '}
            {t('A point of interest, not watched for crossings')}
          </label>
          <label className="fleet-switch">
            <Switch size="small" checked={draft.isActive} onChange={(isActive) => change({ isActive })} /> {t('Watched')}
          </label>
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

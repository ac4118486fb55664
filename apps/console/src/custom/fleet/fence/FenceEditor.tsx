import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Form, Input, InputNumber, Segmented } from 'antd'
import { omit } from 'es-toolkit/object/omit'
import { pick } from 'es-toolkit/object/pick'
import { useMemo, useRef, useState } from 'react'
import { call, type CallData } from '../../../data/calls.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import type { CustomProps } from '../../props.ts'
import { UnloadedEditor } from '../UnloadedEditor.tsx'
import { errorText } from '../error-text.ts'
import type { DeviceOption } from '../commands/options.ts'
import { isSameDevices, watchDevices, watchedDevices } from './watched.ts'
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
  devices: [],
}

/** A fence is drawn on the map: an area with its holes, a circle, or a corridor along a line. */
export function FenceEditor({ params: { id } }: CustomProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['records', 'fence', id, 'editor'],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const [{ data: found }, devices] = await Promise.all([
        call('fences.get', { params: { id: id ?? '' } }, { signal }),
        watchedDevices(id ?? '', signal),
      ])
      return { fence: found.fence, devices }
    },
  })
  if (id === undefined) return <Editor start={empty} />
  if (data && !error) return <Editor key={data.fence.version} id={id} start={startOf(data)} />
  return <UnloadedEditor title={t('Fence')} what={t('This fence')} error={error} onRetry={() => void refetch()} />
}

interface Found {
  fence: CallData<'fences.get'>['fence']
  devices: DeviceOption[]
}
const startOf = ({ fence, devices }: Found): Draft & { version?: number } => ({
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
  devices,
})

function Editor({ id, start }: { id?: string; start: Draft & { version?: number } }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [draft, setDraft] = useState<FenceForm>(() => omit(start, ['shape', 'area', 'version']))
  const drawn = useHistory<Drawn>({ shape: start.shape, area: start.area })
  const [task, setTask] = useState<Task>()
  const { shape } = drawn.now
  const change = (changes: Partial<FenceForm>) => setDraft((before) => ({ ...before, ...changes }))
  // Made, but its devices were refused: pressed again, it is changed and not made twice.
  const madeId = useRef<string>(undefined)
  const save = useMutation({
    mutationFn: async () => {
      const { radius, description, tenantId, devices, ...others } = draft
      const body = {
        ...others,
        ...drawn.now,
        radius: shape === 'polygon' ? null : radius,
        description: description.trim() === '' ? null : description,
        ...(tenantId === null ? {} : { tenantId }),
      }
      const watched = draft.type === 'poi' ? [] : devices
      const known = id ?? madeId.current
      if (known === undefined) madeId.current = (await call('fences.create', { body })).data.fence.Id
      const fenceId = known ?? madeId.current
      if (fenceId && !isSameDevices(watched, start.devices)) await watchDevices(fenceId, watched)
      if (known === undefined) return
      await call('fences.update', {
        params: { id: known },
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

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { call, type CallData } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { formatRelative } from '../../view/formats.ts'
import { EmptyState, ErrorState, LoadingState } from '../../view/states/index.tsx'
import { DevicesHeader } from './DevicesHeader.tsx'
import { errorText } from './error-text.ts'
import { Outdated, soonAfterFailure } from './Outdated.tsx'
import './fleet.css'

type Waiting = CallData<'devices.unlinked'>['unlinkedDevices'][number]

/** Trackers on no asset: adopt one, say its plate, done. */
export function Unlinked() {
  const search = textOf(useAddress().address.search) ?? ''
  const [chosen, setChosen] = useState<Waiting>()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['records', 'device', 'unlinked', search],
    refetchInterval: soonAfterFailure(30_000),
    queryFn: ({ signal }) => call('devices.unlinked', { query: { size: 200, ...(search === '' ? {} : { search }) } }, { signal }),
  })
  const rows = data?.data.unlinkedDevices ?? []
  return (
    <>
      <DevicesHeader
        title={t('Unlinked devices')}
        count={data ? String(data.meta?.total ?? rows.length) : ''}
        placeholder={t('Name or identifier')}
      />
      <Outdated error={data ? error : null} onRetry={refetch} />
      {error && !data ? (
        <ErrorState error={error} what={t('The devices')} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingState />
      ) : rows.length === 0 ? (
        <EmptyState title={t('Every device is on an asset')} body={t('A tracker that reports and is on none appears here.')} />
      ) : (
        <ul className="fleet-rows fleet-box">
          {rows.map((row) => (
            <li key={row.uniqueId} data-tone={row.status === 'online' ? 'good' : 'quiet'}>
              <span>
                <strong>{row.name}</strong> · {row.uniqueId}
                {row.model ? ` · ${row.model}` : ''}
                {row.protocol ? ` · ${row.protocol}` : ''} · {row.lastUpdate ? formatRelative(row.lastUpdate) : t('never heard of')}
                {row.id === null ? ` · ${t('not registered yet')}` : ''}
              </span>
              <Button onClick={() => setChosen(row)} aria-label={t('Adopt {{name}}', { name: row.name })}>
                {t('Adopt')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {chosen ? <Adopt device={chosen} onClose={() => setChosen(undefined)} /> : null}
    </>
  )
}

function Adopt({ device, onClose }: { device: Waiting; onClose: () => void }) {
  const client = useQueryClient()
  const [registrationNumber, setNumber] = useState(device.name === device.uniqueId ? '' : device.name.toUpperCase())
  const [make, setMake] = useState('')
  const adopt = useMutation({
    mutationFn: async () => {
      const deviceId = device.id ?? (await register(device))
      await call('assets.add', {
        body: { registrationNumber, ...(make.trim() === '' ? {} : { make: make.trim() }), asset_devices: [{ deviceId }] },
      })
    },
    onSuccess: async () => {
      toast.success({ title: t('Adopted'), body: registrationNumber })
      onClose()
      await client.invalidateQueries({ queryKey: ['records', 'device'] })
      await client.invalidateQueries({ queryKey: ['records', 'asset'] })
    },
  })
  return (
    <Modal
      open
      title={t('A new asset for {{name}}', { name: device.name })}
      okText={t('Save')}
      cancelText={t('Cancel')}
      okButtonProps={{ disabled: registrationNumber.trim() === '', loading: adopt.isPending }}
      onCancel={onClose}
      onOk={() => adopt.mutate()}
    >
      <Form noValidate layout="vertical" onFinish={() => adopt.mutate()}>
        <Form.Item label={t('Registration number')} htmlFor="adopt-plate" required>
          <Input id="adopt-plate" autoFocus maxLength={40} value={registrationNumber} onChange={(event) => setNumber(event.target.value)} />
        </Form.Item>
        <Form.Item label={t('Make')} htmlFor="adopt-make">
          <Input id="adopt-make" maxLength={80} value={make} onChange={(event) => setMake(event.target.value)} />
        </Form.Item>
        {adopt.error ? <Alert type="error" showIcon title={errorText(adopt.error)} /> : null}
      </Form>
    </Modal>
  )
}

async function register({ uniqueId, name }: Waiting): Promise<string> {
  const { data } = await call('devices.add', { body: { uniqueId, name } })
  return data.geoDevice.id
}

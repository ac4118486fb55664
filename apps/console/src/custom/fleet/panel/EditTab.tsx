import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Form, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { call } from '../../../data/calls.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { mapIconOptions } from '@outpost/rules/fleet/map-icons'
import { pictureSelect } from '../../../view/fields/choices/pictures.tsx'
import { errorText } from '../error-text.ts'
import type { FleetAsset } from '../fleet.ts'
import { Asked, useAsset } from './parts.tsx'

/** What is set while looking at the dashboard; everything else is in the form of the record. */
export function EditTab({ id }: { id: string }) {
  return (
    <Asked query={useAsset(id)} what={t('What is set of it')}>
      {(asset) => <Readings key={`${asset.odometer} ${asset.engineHours} ${asset.mapIcon}`} asset={asset} />}
    </Asked>
  )
}

function Readings({ asset }: { asset: FleetAsset }) {
  const client = useQueryClient()
  const [odometer, setOdometer] = useState(asset.odometer)
  const [engineHours, setEngineHours] = useState(asset.engineHours)
  const [mapIcon, setMapIcon] = useState(asset.mapIcon)
  const save = useMutation({
    mutationFn: async () => {
      const params = { id: asset.Id }
      if (odometer !== null && odometer !== asset.odometer) await call('assets.setOdometer', { params, body: { odometer } })
      if (engineHours !== null && engineHours !== asset.engineHours) await call('assets.setEngineHours', { params, body: { engineHours } })
      if (mapIcon !== asset.mapIcon) await call('assets.setMapIcon', { params, body: { mapIcon } })
    },
    onSuccess: async () => {
      toast.success({ title: t('Asset updated successfully') })
      await client.invalidateQueries({ queryKey: ['records', 'asset'] })
    },
  })
  const isSame = odometer === asset.odometer && engineHours === asset.engineHours && mapIcon === asset.mapIcon
  return (
    <Form noValidate layout="vertical" onFinish={() => save.mutate()}>
      <Form.Item label={t('Odometer (km)')} htmlFor="fleet-odometer">
        <InputNumber id="fleet-odometer" min={0} max={10_000_000} value={odometer} onChange={setOdometer} />
      </Form.Item>
      <Form.Item label={t('Engine hours')} htmlFor="fleet-hours">
        <InputNumber id="fleet-hours" min={0} max={1_000_000} value={engineHours} onChange={setEngineHours} />
      </Form.Item>
      <Form.Item label={t('Icon on the map')} htmlFor="fleet-icon">
        <Select id="fleet-icon" value={mapIcon} onChange={setMapIcon} {...pictureSelect(mapIconOptions)} />
      </Form.Item>
      {save.error ? <Alert type="error" showIcon title={errorText(save.error)} /> : null}
      <div className="fleet-acts">
        <Button type="primary" htmlType="submit" disabled={isSame} loading={save.isPending}>
          {t('Save')}
        </Button>
        <Link to={`/tracking/assets/edit/${asset.Id}`}>{t('Edit everything')}</Link>
      </div>
    </Form>
  )
}

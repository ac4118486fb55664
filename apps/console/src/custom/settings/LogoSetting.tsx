import { Button, Upload } from 'antd'
import { UploadOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import type { SettingItem, SettingsSource } from '@outpost/contract/settings'
import type { CallView } from '@outpost/contract/views'
import { useState } from 'react'
import { api, ApiError } from '../../data/api.ts'
import { pathOf } from '../../data/calls.ts'
import { fillPath } from '../../data/paths.ts'
import type { Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import { sentence } from '../../view/kinds/form/useFieldForm.ts'
import { originOf } from './place.ts'
import { sourceKey } from './useSettings.ts'

interface LogoSettingProps {
  item: SettingItem
  source: SettingsSource
  record: Row | undefined
  place: string | undefined
  saveLogo: CallView | undefined
}

/** The logo as it looks on light and dark grounds; a new one is shown to everybody at once. */
export function LogoSetting({ item, source, record, place, saveLogo }: LogoSettingProps) {
  const client = useQueryClient()
  const { reloadLayout } = useSession()
  const [state, setState] = useState<{ isBusy?: boolean; problem?: string }>({})
  const { key, label } = item
  const shown = originOf(record, key)?.value
  const isOwn = Boolean(record?.[key])
  const run = async (work: () => Promise<{ data: Record<string, Row> }>): Promise<void> => {
    setState({ isBusy: true })
    try {
      const { data } = await work()
      client.setQueryData(sourceKey(source), data[source.one])
      setState({})
      await reloadLayout()
    } catch (error) {
      setState({ problem: problemOf(error, label) })
    }
  }
  const send = (file: File): void => {
    const body = new FormData()
    body.append('file', file, file.name)
    void run(() => api.post<Record<string, Row>>(fillPath(saveLogo?.path ?? '', { id: place }), body))
  }
  return (
    <div className="set-logo">
      {typeof shown === 'string' && shown !== '' ? (
        <img src={pathOf('config.logo', { id: shown })} alt={t(label)} />
      ) : (
        <p className="set-now">{t('none')}</p>
      )}
      {saveLogo && source.save ? (
        <div className="set-logo-deeds">
          <Upload
            accept="image/png,image/jpeg"
            showUploadList={false}
            beforeUpload={(file) => {
              send(file)
              return false
            }}
          >
            <Button icon={<UploadOutlined aria-hidden />} loading={state.isBusy} aria-describedby={`set-help-${key}`}>
              {isOwn ? t('Choose another logo') : t('Choose a logo')}
            </Button>
          </Upload>
          {isOwn ? (
            <Button
              disabled={state.isBusy}
              onClick={() => void run(() => api.put<Record<string, Row>>(source.save?.path ?? '', { [key]: null }))}
            >
              {t('Remove logo')}
            </Button>
          ) : null}
        </div>
      ) : null}
      <p role="alert" className="set-logo-problem">
        {state.problem}
      </p>
    </div>
  )
}

/** What the server finds wrong with the file, in words after the label; else what happened. */
function problemOf(error: unknown, label: string): string {
  const [fault] = error instanceof ApiError ? (error.fields ?? []) : []
  if (fault) return sentence(t(label), fault.message)
  return error instanceof Error ? t(error.message) : t('The logo could not be saved.')
}

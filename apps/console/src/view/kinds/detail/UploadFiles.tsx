import { useRef, useState } from 'react'
import { Button, Progress, Upload } from 'antd'
import { CloseOutlined, UploadOutlined } from '@ant-design/icons'
import type { UploadView } from '@outpost/contract/views'
import { api } from '../../../data/api.ts'
import { t } from '../../../session/labels.ts'
import { explainFailure } from '../../actions/call.ts'

interface Sending {
  key: number
  name: string
  percent: number
  error?: string
}
interface UploadFilesProps {
  upload: UploadView
  path: string
  onDone: () => Promise<void>
}

/** Where files are added: each is sent by itself, with what of it is sent so far, and can be stopped on the way. */
export function UploadFiles({ upload, path, onDone }: UploadFilesProps) {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const stops = useRef(new Map<number, AbortController>())
  const change = (key: number, part: Partial<Sending>) =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const close = (key: number) => {
    stops.current.get(key)?.abort()
    stops.current.delete(key)
    setSending((all) => all.filter((one) => one.key !== key))
  }
  const send = async (file: File) => {
    const [key, stop] = [nextKey(), new AbortController()]
    stops.current.set(key, stop)
    setSending((all) => [...all, { key, name: file.name, percent: 0 }])
    try {
      if (file.size > upload.maxBytes) throw new Error(`${t('A file may have at most')} ${Math.floor(upload.maxBytes / 1_048_576)} MiB.`)
      const form = new FormData()
      form.append('file', file)
      await api.call(upload.call.method, path, {
        body: form,
        signal: stop.signal,
        timeoutMs: 300_000,
        onProgress: (share) => change(key, { percent: Math.floor(share * 100) }),
      })
      await onDone()
      close(key)
    } catch (error) {
      if (!stop.signal.aborted) change(key, { error: explainFailure(error).message })
    }
  }
  return (
    <div className="panel-upload">
      <Upload
        multiple
        showUploadList={false}
        accept={upload.types.map((type) => `.${type}`).join(',')}
        beforeUpload={(file) => {
          void send(file)
          return false
        }}
      >
        <Button icon={<UploadOutlined aria-hidden />}>{t('Add files')}</Button>
      </Upload>
      {sending.length === 0 ? null : (
        <ul aria-label={t('Files on their way')} aria-live="polite">
          {sending.map(({ key, name, percent, error }) => (
            <li key={key}>
              <span className="panel-upload-name">{name}</span>
              {error ? (
                <span role="alert" className="panel-upload-error">
                  {error}
                </span>
              ) : (
                <Progress percent={percent} size="small" aria-label={`${t('Sending')} ${name}`} />
              )}
              <Button
                type="text"
                size="small"
                icon={<CloseOutlined aria-hidden />}
                aria-label={`${t(error ? 'Close' : 'Cancel')} ${name}`}
                onClick={() => close(key)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

let last = 0
const nextKey = () => (last += 1)

import { useState } from 'react'
import { Button, Upload } from 'antd'
import { DeleteOutlined, UploadOutlined } from '@ant-design/icons'
import { call } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { fileName } from '../parts/file-name.ts'
import { FileLink } from '../parts/file-link.tsx'
import { StoredImage } from '../parts/stored-image.tsx'
import type { InputProps } from '../types.ts'

/** Sends the file to the store at once and keeps its path. */
async function upload(content: File): Promise<string> {
  const form = new FormData()
  form.append('file', content)
  const { data } = await call('storage.upload', { body: form })
  const path = (data.files as { path: string }[])[0]?.path
  if (!path) throw new Error('The server did not say where the file is kept.')
  return path
}

const Picker = ({ accept, ...props }: InputProps & { accept?: string }) => {
  const [error, setError] = useState<string>()
  const [isSending, setSending] = useState(false)
  const take = async (content: File) => {
    setSending(true)
    try {
      props.onChange?.(await upload(content))
      setError(undefined)
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause))
    } finally {
      setSending(false)
    }
  }
  const path = props.value ? String(props.value) : undefined
  return (
    <div className="field-file">
      {path ? accept ? <StoredImage path={path} alt={props.field.label} /> : <FileLink path={path}>{fileName(path)}</FileLink> : null}
      <Upload
        showUploadList={false}
        accept={accept}
        disabled={props.disabled}
        beforeUpload={(content) => {
          void take(content)
          return false
        }}
      >
        <Button
          id={props.id}
          icon={<UploadOutlined aria-hidden />}
          loading={isSending}
          disabled={props.disabled}
          aria-describedby={props['aria-describedby']}
        >
          {t(path ? 'Replace' : 'Choose a file')}
        </Button>
      </Upload>
      {path && !props.disabled ? (
        <Button
          type="text"
          icon={<DeleteOutlined aria-hidden />}
          aria-label={`${t('Remove')} ${t(props.field.label)}`}
          onClick={() => props.onChange?.(null)}
        />
      ) : null}
      {error ? (
        <div className="field-note" role="alert">
          {error}
        </div>
      ) : null}
    </div>
  )
}

export const FileInput = (props: InputProps) => <Picker {...props} />
/** Pictures only, with a preview. */
export const ImageInput = (props: InputProps) => <Picker {...props} accept="image/png,image/jpeg,image/webp" />

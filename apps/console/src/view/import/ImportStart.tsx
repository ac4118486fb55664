import { Button, Upload } from 'antd'
import { t } from '../../session/labels.ts'

interface ImportStartProps {
  title: string
  help: string
  /** Endings of files that may be chosen, as of an input. */
  accept: string
  /** A file to begin with. */
  example: { name: string; text: string }
  hasFile: boolean
  isRead: boolean
  isBusy: boolean
  onChoose: (file: File) => void
}

/** What an import is about, the button that chooses its file, and one to fill in. */
export function ImportStart({ title, help, accept, example, hasFile, isRead, isBusy, onChoose }: ImportStartProps) {
  return (
    <>
      <h1 tabIndex={-1}>{title}</h1>
      <p>{help}</p>
      <div className="import-actions">
        <Upload accept={accept} showUploadList={false} beforeUpload={(file) => (onChoose(file), false)}>
          <Button type={isRead ? 'default' : 'primary'} loading={isBusy}>
            {hasFile ? t('Choose another file') : t('Choose a file')}
          </Button>
        </Upload>
        <a href={`data:text/plain;charset=utf-8,${encodeURIComponent(example.text)}`} download={example.name}>
          {t('An example to fill in')}
        </a>
      </div>
    </>
  )
}

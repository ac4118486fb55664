import { Button, Upload } from 'antd'
import { t } from '../../../session/labels.ts'

interface FileChoiceProps {
  /** Endings of names, such as .csv. */ endings: string
  isDisabled: boolean
  onChoose: (file: File) => void
}

/** A button that asks for one file of the device, which stays on it. */
export const FileChoice = ({ endings, isDisabled, onChoose }: FileChoiceProps) => (
  <Upload
    accept={endings}
    showUploadList={false}
    beforeUpload={(file) => {
      onChoose(file)
      return false
    }}
  >
    <Button disabled={isDisabled}>{t('Choose a file')}</Button>
  </Upload>
)

import type { Question } from '@outpost/contract/web-forms/form'

/** What an input of files gets; value, onChange and id come from antd's Form.Item. */
export interface FileInputProps {
  question: Question
  id?: string
  value?: unknown
  onChange?: (value: unknown) => void
}

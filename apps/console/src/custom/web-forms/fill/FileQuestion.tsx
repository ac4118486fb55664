import { Form } from 'antd'
import type { Question } from '@outpost/contract/web-forms/form'
import { fieldKey } from '../questions.ts'
import { FilesInput } from './FilesInput.tsx'
import { SignatureInput } from './SignatureInput.tsx'

/** What an input of files gets; value, onChange and id come from antd's Form.Item. */
export interface FileInputProps {
  question: Question
  id?: string
  value?: unknown
  onChange?: (value: unknown) => void
}

/** A question that is answered with photos, papers or a signature. */
export const FileQuestion = ({ question }: { question: Question }) => (
  <Form.Item name={fieldKey(question)} label={question.label} extra={question.help} required={question.required}>
    {question.kind === 'signature' ? <SignatureInput question={question} /> : <FilesInput question={question} />}
  </Form.Item>
)

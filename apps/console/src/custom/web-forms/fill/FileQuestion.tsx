import { Form } from 'antd'
import type { Question } from '@outpost/contract/web-forms/form'
import { answerFault } from '@outpost/rules/forms/form-answers'
import { useCompany } from '../../../view/company.ts'
import { sentence } from '../../../view/kinds/form/useFieldForm.ts'
import { fieldKey } from '../questions.ts'
import { FilesInput } from './FilesInput.tsx'
import { SignatureInput } from './SignatureInput.tsx'

/** A question that is answered with photos, papers or a signature. */
export function FileQuestion({ question }: { question: Question }) {
  const company = useCompany()
  const validator = (_: unknown, value: unknown) => {
    const fault = answerFault(question, value, company)
    return fault ? Promise.reject(new Error(sentence(question.label, fault))) : Promise.resolve()
  }
  return (
    <Form.Item
      name={fieldKey(question)}
      label={question.label}
      extra={question.help}
      required={question.required}
      rules={[{ validator }]}
      validateTrigger={['onChange', 'onSubmit']}
    >
      {question.kind === 'signature' ? <SignatureInput question={question} /> : <FilesInput question={question} />}
    </Form.Item>
  )
}

import type { FieldView } from '@outpost/contract/fields'
import type { Question } from '@outpost/contract/web-forms/form'
import { holdsFiles } from '@outpost/rules/forms/form-faults'
import { FormFields } from '../../../view/kinds/form/FormFields.tsx'
import type { RecordValues } from '../../../view/kinds/form/values.ts'
import { fieldKey } from '../questions.ts'
import { FileQuestion } from './FileQuestion.tsx'

interface QuestionsProps {
  questions: readonly Question[]
  fields: readonly FieldView[]
  record: RecordValues
}

/** The questions of a page, one below the other. */
export const Questions = ({ questions, fields, record }: QuestionsProps) =>
  questions.map((question) =>
    holdsFiles(question) ? (
      <FileQuestion key={question.key} question={question} />
    ) : (
      <FormFields key={question.key} fields={fields} rows={[[fieldKey(question)]]} record={record} />
    ),
  )

import { useState } from 'react'
import type { FormInstance } from 'antd'
import { useNavigate } from '@tanstack/react-router'
import type { FieldError } from '@outpost/contract/errors'
import type { FieldView } from '@outpost/contract/fields'
import { filesOf } from '@outpost/rules/forms/answer-files'
import { checkAnswers } from '@outpost/rules/forms/form-answers'
import { ApiError } from '../../../data/api.ts'
import { isOnline } from '../../../data/connection.ts'
import { queryClient } from '../../../data/query-client.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { useCompany } from '../../../view/company.ts'
import { isInOtherField } from '../../../view/focus.ts'
import type { RecordValues } from '../../../view/kinds/form/values.ts'
import { answersOf, fieldKey } from '../questions.ts'
import type { FormVersion } from '../version.ts'
import type { FormFiles } from './form-files.ts'
import type { RefusedForm } from './refused.ts'
import { forgetFiles, sendForm } from './send-form.ts'
import { MissingFileError } from './sent-files.ts'

interface Sending {
  version: FormVersion
  subject: FieldView | undefined
  form: FormInstance<RecordValues>
  read: () => RecordValues
  files: FormFiles
  refused: RefusedForm | undefined
  /** Called before leaving: the draft goes, the guard lets through. */
  onSent: () => Promise<void>
}
/** Checks what was answered as the office will, and hands it over: to the office, or to this device until there is a network. */
export function useSending({ version, subject, form, read, files, refused, onSent }: Sending) {
  const navigate = useNavigate()
  const company = useCompany()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  // One form is one record, however often the button is pressed.
  const [newId] = useState(() => crypto.randomUUID())
  const place = (faults: readonly FieldError[], sentFrom = document.activeElement): boolean => {
    const placed = faults.flatMap(({ field, message }) => {
      const name = fieldOfFault(version, subject, field)
      return name === undefined ? [] : [{ name, errors: [t(message)] }]
    })
    form.setFields(placed)
    if (placed[0] && !isInOtherField(sentFrom)) form.focusField(placed[0].name)
    return placed.length === faults.length && placed.length > 0
  }
  const send = async () => {
    const sentFrom = document.activeElement
    const record = read()
    const { values, faults } = checkAnswers(version.pages, answersOf(version.pages, record), company)
    setError(undefined)
    if (faults.length > 0) return void place(faults)
    setSending(true)
    try {
      const about = subject ? { [subject.key]: record[subject.key] } : {}
      const saved = await sendForm({ version, answers: values, about, files, refused, newId })
      await onSent()
      await forgetFiles({ answers: values, files, refused })
      const next = isOnline() ? 'It is being sent.' : 'It will be sent as soon as there is a connection.'
      if (saved.queued) toast.info({ title: t('Saved on this device'), body: t(next) })
      else toast.success({ title: saved.message ?? t('Saved') })
      await queryClient.invalidateQueries({ queryKey: ['attention'] })
      void navigate({ to: '/forms/answers' as never })
    } catch (cause) {
      if (!place(faultsIn(cause, values), sentFrom)) setError(cause)
    } finally {
      setSending(false)
    }
  }
  return { send, place, error, isSending }
}

/** What was thrown, as faults of questions. */
function faultsIn(cause: unknown, answers: Record<string, unknown>): FieldError[] {
  if (cause instanceof ApiError) return cause.fields ?? []
  if (!(cause instanceof MissingFileError)) return []
  const key = Object.keys(answers).find((name) => filesOf({ [name]: answers[name] }).some(({ Id }) => Id === cause.fileId))
  return key === undefined ? [] : [{ field: `answers.${key}`, message: cause.message }]
}

/** The field of the screen that a fault is about: `answers.income` is the question income. */
function fieldOfFault({ pages }: FormVersion, subject: FieldView | undefined, field: string): string | undefined {
  if (field === subject?.key) return field
  const key = field.replace(/^answers\./, '')
  const question = pages.flatMap(({ questions }) => questions).find((one) => one.key === key)
  return question && fieldKey(question)
}

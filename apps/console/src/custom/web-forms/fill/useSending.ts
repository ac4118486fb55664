import { useState } from 'react'
import type { FormInstance } from 'antd'
import { useNavigate } from '@tanstack/react-router'
import type { FieldError } from '@outpost/contract/errors'
import type { FieldView } from '@outpost/contract/fields'
import { filesOf } from '@outpost/rules/forms/answer-files'
import { answersText } from '@outpost/rules/forms/answer-words'
import { checkAnswers } from '@outpost/rules/forms/form-answers'
import { ApiError } from '../../../data/api.ts'
import { callOf } from '../../../data/calls.ts'
import { isOnline } from '../../../data/connection.ts'
import { save } from '../../../data/gateway.ts'
import { queryClient } from '../../../data/query-client.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { serverNow } from '../../../session/token.ts'
import { useCompany } from '../../../view/company.ts'
import type { RecordValues } from '../../../view/kinds/form/values.ts'
import { answersOf, fieldKey } from '../questions.ts'
import type { FormVersion } from '../version.ts'
import type { FormFiles } from './form-files.ts'
import { answersIn, type RefusedForm } from './refused.ts'
import { dropFormer, filesToKeep, MissingFileError, uploadFiles } from './sent-files.ts'

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
/** As much of the answers in words as the office takes; it writes its own. */
const longestSummary = 20_000

/** Checks what was answered as the office will, and hands it over: to the office, or to this device until there is a network. */
export function useSending({ version, subject, form, read, files, refused, onSent }: Sending) {
  const navigate = useNavigate()
  const company = useCompany()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  // One form is one record, however often the button is pressed.
  const [newId] = useState(() => crypto.randomUUID())
  const place = (faults: readonly FieldError[]): boolean => {
    const placed = faults.flatMap(({ field, message }) => {
      const name = fieldOfFault(version, subject, field)
      return name === undefined ? [] : [{ name, errors: [t(message)] }]
    })
    form.setFields(placed)
    if (placed[0]) form.focusField(placed[0].name)
    return placed.length === faults.length && placed.length > 0
  }
  const keep = async (answers: Record<string, unknown>, subjectId: unknown) => {
    const named = filesOf(answers)
    const kept = await filesToKeep(named, files, refused?.id ?? newId)
    if (!kept.isOnDevice) await uploadFiles(kept.files)
    const saved = await save({
      call: callOf('webForms.fill'),
      entityType: 'webFormAnswer',
      one: 'webFormAnswer',
      ...(refused ? { id: refused.id } : {}),
      ...(kept.isOnDevice ? { files: kept.files } : {}),
      values: {
        ...(refused ? {} : { Id: newId }),
        formVersionId: version.Id,
        name: version.name,
        summary: answersText(version.pages, answers).slice(0, longestSummary),
        filledAt: refused?.mine.filledAt ?? new Date(serverNow()).toISOString(),
        answers,
        ...(subject ? { [subject.key]: subjectId } : {}),
      },
    })
    await onSent()
    for (const { Id } of named) files.drop(Id)
    if (refused) await dropFormer(filesOf(answersIn(refused)), named)
    return saved
  }
  const send = async () => {
    const record = read()
    const { values, faults } = checkAnswers(version.pages, answersOf(version.pages, record), company)
    setError(undefined)
    if (faults.length > 0) return void place(faults)
    setSending(true)
    try {
      const saved = await keep(values, subject && record[subject.key])
      const next = isOnline() ? 'It is being sent.' : 'It will be sent as soon as there is a connection.'
      if (saved.queued) toast.info({ title: t('Saved on this device'), body: t(next) })
      else toast.success({ title: saved.message ?? t('Saved') })
      await queryClient.invalidateQueries({ queryKey: ['attention'] })
      void navigate({ to: '/forms/answers' as never })
    } catch (cause) {
      if (!place(faultsIn(cause, values))) setError(cause)
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

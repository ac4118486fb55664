import { useState } from 'react'
import type { FormInstance } from 'antd'
import { useNavigate } from '@tanstack/react-router'
import type { FieldError } from '@outpost/contract/errors'
import type { FieldView } from '@outpost/contract/fields'
import { answersText } from '@outpost/rules/forms/answer-words'
import { checkAnswers } from '@outpost/rules/forms/form-answers'
import { ApiError } from '../../../data/api.ts'
import { callOf } from '../../../data/calls.ts'
import { save } from '../../../data/gateway.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { serverNow } from '../../../session/token.ts'
import { useCompany } from '../../../view/company.ts'
import type { RecordValues } from '../../../view/kinds/form/values.ts'
import { answersOf, fieldKey } from '../questions.ts'
import type { FormVersion } from '../version.ts'

interface Sending {
  version: FormVersion
  subject: FieldView | undefined
  form: FormInstance<RecordValues>
  read: () => RecordValues
  /** Called before leaving: the draft goes, the guard lets through. */
  onSent: () => Promise<void>
}
/** As much of the answers in words as the office takes; it writes its own. */
const longestSummary = 20_000

/** Checks what was answered as the office will, and hands it over: to the office, or to this device until there is a network. */
export function useSending({ version, subject, form, read, onSent }: Sending) {
  const navigate = useNavigate()
  const company = useCompany()
  const [error, setError] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const place = (faults: readonly FieldError[]): boolean => {
    const placed = faults.flatMap(({ field, message }) => {
      const name = fieldOfFault(version, subject, field)
      return name === undefined ? [] : [{ name, errors: [t(message)] }]
    })
    form.setFields(placed)
    if (placed[0]) form.focusField(placed[0].name)
    return placed.length === faults.length && placed.length > 0
  }
  const send = async () => {
    const record = read()
    const { values, faults } = checkAnswers(version.pages, answersOf(version.pages, record), company)
    setError(undefined)
    if (faults.length > 0) return void place(faults)
    setSending(true)
    try {
      const saved = await save({
        call: callOf('webForms.fill'),
        entityType: 'webFormAnswer',
        one: 'webFormAnswer',
        values: {
          formVersionId: version.Id,
          name: version.name,
          summary: answersText(version.pages, values).slice(0, longestSummary),
          filledAt: new Date(serverNow()).toISOString(),
          answers: values,
          ...(subject ? { [subject.key]: record[subject.key] } : {}),
        },
      })
      await onSent()
      if (saved.queued) toast.info({ title: t('Saved on this device'), body: t('It will be sent as soon as there is a connection.') })
      else toast.success({ title: saved.message ?? t('Saved') })
      void navigate({ to: '/forms/answers' as never })
    } catch (cause) {
      if (!(cause instanceof ApiError && cause.fields && place(cause.fields))) setError(cause)
    } finally {
      setSending(false)
    }
  }
  return { send, error, isSending }
}

/** The field of the screen that a fault is about: `answers.income` is the question income. */
function fieldOfFault({ pages }: FormVersion, subject: FieldView | undefined, field: string): string | undefined {
  if (field === subject?.key) return field
  const key = field.replace(/^answers\./, '')
  const question = pages.flatMap(({ questions }) => questions).find((one) => one.key === key)
  return question && fieldKey(question)
}

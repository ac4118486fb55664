import { Alert } from 'antd'
import { useState } from 'react'
import type { FormInstance } from 'antd'
import { ApiError } from '../data/api.ts'
import { t } from '../session/labels.ts'
import { isInOtherField } from '../view/focus.ts'

export interface Submission<Values> {
  isBusy: boolean
  error: Error | null
  submit: (values: Values) => Promise<void>
}

/** Runs a form's call: busy while it runs, errors of fields at their fields, everything else for <FormError>. */
export function useSubmission<Values extends object>(
  form: FormInstance<Values>,
  run: (values: Values) => Promise<void>,
): Submission<Values> {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const submit = async (values: Values): Promise<void> => {
    if (isBusy) return
    const sentFrom = document.activeElement
    setBusy(true)
    setError(null)
    try {
      await run(values)
    } catch (cause) {
      const failure = cause instanceof Error ? cause : new Error(String(cause))
      setError(failure)
      placeErrors(form, failure, sentFrom)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, submit }
}

/** What went wrong, above the form, with the number to quote to support. */
export function FormError({ error }: { error: Error | null }) {
  if (!error) return null
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined
  const title = error instanceof ApiError ? (error.title ?? error.message) : error.message
  const body = error instanceof ApiError && error.title ? t(error.message) : undefined
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      className="o-form-error"
      title={t(title)}
      description={
        requestId ? (
          <>
            {body} {t('Quote')} <code>{requestId}</code> {t('when you ask for help.')}
          </>
        ) : (
          body
        )
      }
    />
  )
}

/** Form settings all forms of the shell share: labels above, required fields unmarked (all are), errors after a first try. */
export const formLook = {
  layout: 'vertical',
  requiredMark: false,
  validateTrigger: 'onSubmit',
  scrollToFirstError: { focus: true },
} as const

function placeErrors<Values extends object>(form: FormInstance<Values>, error: Error, sentFrom: Element | null): void {
  if (!(error instanceof ApiError) || !error.fields) return
  const known = error.fields.filter(({ field }) => form.getFieldInstance(field as never) !== undefined)
  form.setFields(known.map(({ field, message }) => ({ name: field as never, errors: [message] })))
  const first = known[0]
  if (first && !isInOtherField(sentFrom)) form.getFieldInstance(first.field as never)?.focus?.()
}

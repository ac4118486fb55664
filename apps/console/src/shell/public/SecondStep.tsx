import { Button, Form } from 'antd'
import { useState } from 'react'
import { ApiError } from '../../data/api.ts'
import { finishSignIn, takeStep } from '../../session/actions.ts'
import type { Stepped, Typed } from '../../session/actions.ts'
import { t } from '../../session/labels.ts'
import { AuthenticatorSetup } from '../factor/AuthenticatorSetup.tsx'
import { CodeField } from '../factor/CodeField.tsx'
import { RecoveryCodes } from '../factor/RecoveryCodes.tsx'
import { FormError, formLook, useSubmission } from '../form.tsx'
import '../factor/factor.css'

export interface SecondStepProps {
  step: Extract<Stepped, { step: string }>
  /** Of a sign-in with a password. */
  typed?: Typed
  /** Back to the first step, with the reason when there is one. */
  onBack: (why: Error | null) => void
}

/** The second step of a sign-in: a code; before the first one, how to set the authenticator up, and after it the recovery codes. */
export function SecondStep({ step, typed, onBack }: SecondStepProps) {
  const [form] = Form.useForm<{ code: string }>()
  const [taken, setTaken] = useState<Awaited<ReturnType<typeof takeStep>> | null>(null)
  const [isEntering, setEntering] = useState(false)
  const finish = async (done: NonNullable<typeof taken>): Promise<void> => {
    const result = await finishSignIn(done, typed)
    // The server compared the address with the client's registered ones.
    if ('redirect' in result) location.assign(result.redirect)
  }
  const { isBusy, error, submit } = useSubmission(form, async ({ code }) => {
    try {
      const done = await takeStep(step.challenge, code)
      if (!done.recoveryCodes) return await finish(done)
      setTaken(done)
    } catch (cause) {
      if (!(cause instanceof ApiError) || cause.code !== 'TOKEN_INVALID') throw cause
      onBack(cause)
    }
  })
  const enter = (done: NonNullable<typeof taken>): void => {
    setEntering(true)
    void finish(done).catch((cause: unknown) => onBack(cause instanceof Error ? cause : new Error(String(cause))))
  }
  if (taken)
    return (
      <>
        <h1>{t('Your second factor is on')}</h1>
        <RecoveryCodes codes={taken.recoveryCodes ?? []} isBusy={isEntering} onKept={() => enter(taken)} />
      </>
    )
  const isNew = step.enrolment !== undefined
  return (
    <>
      <h1>{isNew ? t('Set up your second factor') : t('Enter your code')}</h1>
      <p className="o-public-lead">
        {isNew
          ? t('Your role asks for a second factor: from now on a code is asked for after your password.')
          : t('Open your authenticator and enter the code it shows.')}
      </p>
      {step.enrolment && <AuthenticatorSetup enrolment={step.enrolment} />}
      <FormError error={error} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="second-step">
        <CodeField isNew={isNew} hasFocus />
        <Button type="primary" htmlType="submit" size="large" block loading={isBusy}>
          {t('Continue')}
        </Button>
      </Form>
      <p className="o-public-links">
        <Button type="link" className="o-factor-back" onClick={() => onBack(null)}>
          {typed ? t('Back to the password') : t('Back to sign in')}
        </Button>
      </p>
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../data/calls.ts'
import { useConnection } from '../../data/connection.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { AuthenticatorSetup, type Enrolment } from '../factor/AuthenticatorSetup.tsx'
import { CodeField } from '../factor/CodeField.tsx'
import { RecoveryCodes } from '../factor/RecoveryCodes.tsx'
import { FormError, formLook, useSubmission } from '../form.tsx'
import { relativeTime } from '../layout/time.ts'
import '../factor/factor.css'

type Work = { kind: 'start' | 'renew' | 'end' } | { kind: 'confirm'; enrolment: Enrolment } | { kind: 'codes'; codes: readonly string[] }

/** The user's second factor: on or off, how many recovery codes are left, and what can be changed about it. */
export function SecondFactorCard() {
  const { isOnline } = useConnection()
  const { data, error, refetch } = useQuery({
    queryKey: ['second-factor'],
    staleTime: 0,
    enabled: isOnline,
    queryFn: async () => (await call('auth.secondFactor')).data,
  })
  const [work, setWork] = useState<Work | null>(null)
  const close = (): void => {
    setWork(null)
    void refetch()
  }
  return (
    <section className="o-card" aria-labelledby="profile-factor">
      <div className="o-page-head">
        <h2 id="profile-factor">
          {t('Second factor')} {data?.isOn && <Tag color="success">{t('on')}</Tag>}
        </h2>
      </div>
      <p>{t('With a second factor a stolen password is not enough: a code of your authenticator is asked for when you sign in.')}</p>
      <FormError error={error} />
      {!isOnline && <p className="o-soft">{t('It can be changed when there is a connection.')}</p>}
      {isOnline && !data && !error && <div className="o-factor-wait" aria-busy="true" />}
      {data && work === null && (
        <>
          {data.isOn && (
            <p className="o-soft">
              {t('Set up {{since}}. Recovery codes left: {{left}}.', {
                since: relativeTime(data.since ?? ''),
                left: data.recoveryCodesLeft,
              })}{' '}
              {data.isRequired && t('Your role asks for it.')}
            </p>
          )}
          <div className="o-factor-actions">
            {!data.isOn && <Button onClick={() => setWork({ kind: 'start' })}>{t('Set up')}</Button>}
            {data.isOn && <Button onClick={() => setWork({ kind: 'renew' })}>{t('New recovery codes')}</Button>}
            {data.isOn && !data.isRequired && (
              <Button danger onClick={() => setWork({ kind: 'end' })}>
                {t('Switch off')}
              </Button>
            )}
          </div>
        </>
      )}
      {work && <Working work={work} next={setWork} close={close} />}
    </section>
  )
}

function Working({ work, next, close }: { work: Work; next: (work: Work) => void; close: () => void }) {
  if (work.kind === 'codes') return <RecoveryCodes codes={work.codes} onKept={close} />
  return <FactorForm key={work.kind} work={work} next={next} close={close} />
}

const buttons = { start: 'Continue', confirm: 'Switch on', renew: 'New recovery codes', end: 'Switch off' } as const

interface FactorFormProps {
  work: Exclude<Work, { kind: 'codes' }>
  next: (work: Work) => void
  close: () => void
}

function FactorForm({ work, next, close }: FactorFormProps) {
  const [form] = Form.useForm<{ password: string; code: string }>()
  const { isBusy, error, submit } = useSubmission(form, async ({ password, code }) => {
    if (work.kind === 'start') {
      const { secret, uri } = (await call('auth.startSecondFactor', { body: { password } })).data
      return next({ kind: 'confirm', enrolment: { secret, uri } })
    }
    if (work.kind === 'end') {
      await call('auth.endSecondFactor', { body: { password, code } })
      toast.success({ title: t('Your second factor is off') })
      return close()
    }
    const { data } =
      work.kind === 'confirm'
        ? await call('auth.confirmSecondFactor', { body: { code } })
        : await call('auth.renewRecoveryCodes', { body: { password, code } })
    next({ kind: 'codes', codes: data.recoveryCodes })
  })
  return (
    <Form noValidate form={form} {...formLook} onFinish={submit} name="second-factor">
      {work.kind === 'confirm' && <AuthenticatorSetup enrolment={work.enrolment} />}
      <FormError error={error} />
      {work.kind !== 'confirm' && (
        <Form.Item label={t('Your password')} name="password" rules={[{ required: true, message: t('Enter your password.') }]}>
          <Input.Password size="large" autoComplete="current-password" autoFocus maxLength={128} />
        </Form.Item>
      )}
      {work.kind !== 'start' && <CodeField isNew={work.kind === 'confirm'} hasFocus={work.kind === 'confirm'} />}
      <div className="o-factor-actions">
        <Button type="primary" htmlType="submit" danger={work.kind === 'end'} loading={isBusy}>
          {t(buttons[work.kind])}
        </Button>
        <Button onClick={close}>{t('Cancel')}</Button>
      </div>
    </Form>
  )
}

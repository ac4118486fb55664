import { useQuery } from '@tanstack/react-query'
import { Button, Form, Tag } from 'antd'
import { useState } from 'react'
import { call } from '../../data/calls.ts'
import { useConnection } from '../../data/connection.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { AuthenticatorSetup, type Enrolment } from '../factor/AuthenticatorSetup.tsx'
import { CodeField } from '../factor/CodeField.tsx'
import { isRefused, type Returned, type ReturnedProps } from '../factor/confirming.ts'
import { ProofField, runProven, type Proof } from '../factor/ProofField.tsx'
import { RecoveryCodes } from '../factor/RecoveryCodes.tsx'
import { FormError, formLook, useSubmission } from '../form.tsx'
import { relativeTime } from '../layout/time.ts'
import '../factor/factor.css'

type Kind = 'start' | 'renew' | 'end'
type Work = { kind: Kind } | { kind: 'confirm'; enrolment: Enrolment } | { kind: 'codes'; codes: readonly string[] }

/** The user's second factor: on or off, how many recovery codes are left, and what can be changed about it. */
export function SecondFactorCard({ returned, forgetReturned }: ReturnedProps) {
  const { isOnline } = useConnection()
  const { data, error, refetch } = useQuery({
    queryKey: ['second-factor'],
    staleTime: 0,
    enabled: isOnline,
    queryFn: async () => (await call('auth.secondFactor')).data,
  })
  const [work, setWork] = useState<Work | null>(returned && { kind: returned.work as Kind })
  const close = (): void => {
    forgetReturned()
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
      {work && <Working work={work} returned={returned} next={setWork} close={close} />}
    </section>
  )
}

interface WorkingProps<Kinds = Work> {
  work: Kinds
  /** Of this work, when the person comes back from their identity provider. */
  returned: Returned | null
  next: (work: Work) => void
  close: () => void
}

function Working({ work, ...rest }: WorkingProps) {
  if (work.kind === 'codes') return <RecoveryCodes codes={work.codes} onKept={rest.close} />
  return <FactorForm key={work.kind} work={work} {...rest} />
}

const buttons = { start: 'Continue', confirm: 'Switch on', renew: 'New recovery codes', end: 'Switch off' } as const

function FactorForm({ work, returned, next, close }: WorkingProps<Exclude<Work, { kind: 'codes' }>>) {
  const [form] = Form.useForm<Proof & { code: string }>()
  const doProven = async (kind: Kind, { code, ...proof }: Proof & { code: string }): Promise<void> => {
    if (kind === 'start') {
      const { secret, uri } = (await call('auth.startSecondFactor', { body: proof })).data
      return next({ kind: 'confirm', enrolment: { secret, uri } })
    }
    const body = { ...proof, code }
    if (kind === 'renew') return next({ kind: 'codes', codes: (await call('auth.renewRecoveryCodes', { body })).data.recoveryCodes })
    await call('auth.endSecondFactor', { body })
    toast.success({ title: t('Your second factor is off') })
    close()
  }
  const { isBusy, error, submit } = useSubmission(form, async (values) => {
    const { code } = values
    const { kind } = work
    if (kind !== 'confirm') return runProven(form, values, (proof) => doProven(kind, { ...proof, code }))
    next({ kind: 'codes', codes: (await call('auth.confirmSecondFactor', { body: { code } })).data.recoveryCodes })
  })
  return (
    <Form
      noValidate
      form={form}
      {...formLook}
      onFinish={submit}
      name="second-factor"
      initialValues={{ confirmation: returned?.confirmation }}
    >
      {work.kind === 'confirm' && <AuthenticatorSetup enrolment={work.enrolment} />}
      <FormError error={error} />
      {work.kind !== 'confirm' && <ProofField begun={() => ({ card: 'factor', work: work.kind })} isRefused={isRefused(returned)} />}
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

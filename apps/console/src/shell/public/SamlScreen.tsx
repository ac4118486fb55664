import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Button, Form, Input } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../data/api.ts'
import { samlAddress, signInBySaml } from '../../session/actions.ts'
import type { Stepped } from '../../session/actions.ts'
import { t } from '../../session/labels.ts'
import { FormError, formLook, useSubmission } from '../form.tsx'
import { StatusScreen } from '../StatusScreen.tsx'

const SecondStep = lazy(async () => ({ default: (await import('./SecondStep.tsx')).SecondStep }))

interface Asked {
  provider?: unknown
  code?: unknown
  problem?: unknown
}
const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined)

/** Single sign-on: leads to the identity provider of the company, and takes people in who come back from it. */
export function SamlScreen() {
  const asked: Asked = useSearch({ strict: false })
  const code = text(asked.code)
  return code === undefined ? <Start provider={text(asked.provider)} problem={text(asked.problem)} /> : <Return code={code} />
}

function Start({ provider, problem }: { provider: string | undefined; problem: string | undefined }) {
  const [form] = Form.useForm<{ provider?: string }>()
  // Whether there is one and what it is called; the address is asked for anew when it is needed, as it counts for ten minutes.
  const known = useQuery({ queryKey: ['saml', provider], queryFn: () => samlAddress(provider), retry: false, gcTime: 0 })
  const { isBusy, error, submit } = useSubmission(form, async (typed) => {
    location.assign((await samlAddress(typed.provider?.trim() || provider)).url)
  })
  if (known.isPending) return <div className="o-public-wait" />
  if (isUnset(known.error) || isUnset(error)) return <NotConfigured />
  const isNamed = known.data !== undefined
  return (
    <>
      <h1>{t('Single sign-on')}</h1>
      <p className="o-public-lead">{t('You sign in with the account of your organisation and come back here.')}</p>
      <FormError error={error ?? (problem === undefined ? null : refusalOf(problem))} />
      <Form noValidate form={form} {...formLook} onFinish={submit} name="saml">
        {!isNamed && (
          <Form.Item
            label={t('Sign-in name of your company')}
            name="provider"
            initialValue={provider}
            extra={t('Your administrator knows it.')}
            rules={[{ required: true, whitespace: true, message: t('Enter the sign-in name of your company.') }]}
          >
            <Input size="large" autoCapitalize="none" spellCheck={false} maxLength={100} autoFocus />
          </Form.Item>
        )}
        <Button type="primary" htmlType="submit" size="large" block loading={isBusy} autoFocus={isNamed}>
          {isNamed ? t('Continue with {{name}}', { name: known.data.name }) : t('Continue')}
        </Button>
      </Form>
      <p className="o-public-links">
        <Link to="/login">{t('Sign in with a password')}</Link>
      </p>
    </>
  )
}

const isUnset = (error: unknown): boolean => error instanceof ApiError && error.code === 'NOT_CONFIGURED'

const refusals: Record<string, () => string> = {
  refused: () => t('Your organisation’s sign-in was not accepted here. Try again, or ask an administrator.'),
  'sign-out': () => t('Your organisation’s message to sign you out was not accepted here. Ask an administrator.'),
}
const refusalOf = (problem: string): Error =>
  new Error(refusals[problem]?.() ?? t('This identity provider is not known here any more. Ask an administrator.'))

/** Back from the provider with a code that counts once. */
function Return({ code }: { code: string }) {
  const [step, setStep] = useState<Extract<Stepped, { step: string }> | null>(null)
  const [trouble, setTrouble] = useState<Error | null>(null)
  const isHanded = useRef(false)
  useEffect(() => {
    if (isHanded.current) return
    isHanded.current = true
    signInBySaml(code).then(
      (result) => 'step' in result && setStep(result),
      (cause: unknown) => setTrouble(cause instanceof Error ? cause : new Error(String(cause))),
    )
  }, [code])
  if (trouble)
    return (
      <>
        <h1>{t('Single sign-on')}</h1>
        <FormError error={trouble} />
        <p className="o-public-links">
          <Link to="/saml">{t('Try again')}</Link>
          <Link to="/login">{t('Sign in with a password')}</Link>
        </p>
      </>
    )
  if (!step) return <div className="o-public-wait" role="status" aria-label={t('Signing in')} />
  return (
    <Suspense fallback={<div className="o-public-wait" />}>
      <SecondStep step={step} onBack={(why) => setTrouble(why ?? new Error(t('Start again.')))} />
    </Suspense>
  )
}

function NotConfigured() {
  return (
    <StatusScreen
      drawing="locked"
      title={t('Single sign-on is not configured')}
      actions={<Link to="/login">{t('Sign in with a password')}</Link>}
    >
      <p>{t('SAML is not configured on this installation. An administrator can connect an identity provider.')}</p>
    </StatusScreen>
  )
}

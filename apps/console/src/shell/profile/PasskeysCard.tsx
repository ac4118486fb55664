import type { ConsoleLayout } from '@outpost/contract/console'
import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { ApiError } from '../../data/api.ts'
import { call } from '../../data/calls.ts'
import { useConnection } from '../../data/connection.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { isPasskeyOffered } from '../../session/passkey-offer.ts'
import { forgetOtherPasskeys } from '../../session/unlock/unlock.ts'
import { CodeField } from '../factor/CodeField.tsx'
import { isRefused, type Returned, type ReturnedProps } from '../factor/confirming.ts'
import { ProofField, runProven, type Proof } from '../factor/ProofField.tsx'
import { FormError, formLook, useSubmission } from '../form.tsx'
import { relativeTime } from '../layout/time.ts'
import { browserOf } from './browser.ts'
import '../factor/factor.css'

interface Passkey {
  Id: string
  name: string
  host: string
  isBackedUp: boolean
  dateCreated: string
  lastUsedAt: string | null
}
/** What is being done: a new one, or the end of the one with this id. */
type Work = 'add' | Passkey['Id']

/** The passkeys with which the user signs in without a password, and how one is made on this device. */
export function PasskeysCard({ layout, returned, forgetReturned }: { layout: ConsoleLayout } & ReturnedProps) {
  const { isOnline } = useConnection()
  const { data, error, refetch } = useQuery({
    queryKey: ['passkeys'],
    staleTime: 0,
    enabled: isOnline,
    queryFn: async () => {
      const { passkeys } = (await call('auth.passkeys')).data
      const known = passkeys.map(({ credentialId }) => credentialId)
      await forgetOtherPasskeys(layout.user.Id, known)
      return passkeys as Passkey[]
    },
  })
  const [work, setWork] = useState<Work | null>(returned?.work ?? null)
  const ending = data?.find(({ Id }) => Id === work)
  const close = (): void => {
    forgetReturned()
    setWork(null)
    void refetch()
  }
  return (
    <section className="o-card" aria-labelledby="profile-passkeys">
      <div className="o-page-head">
        <h2 id="profile-passkeys">{t('Fingerprint and passkeys')}</h2>
        {isOnline && work === null && isPasskeyOffered() && <Button onClick={() => setWork('add')}>{t('Add a passkey')}</Button>}
      </div>
      <p>{t('With a passkey your fingerprint, your face or the PIN of your device signs you in, without a password or a code.')}</p>
      <FormError error={error} />
      {!isOnline && <p className="o-soft">{t('It can be changed when there is a connection.')}</p>}
      {!isPasskeyOffered() && <p className="o-soft">{t('This browser has no passkeys at this address.')}</p>}
      {isOnline && !data && !error && <div className="o-factor-wait" aria-busy="true" />}
      {data?.length === 0 && work === null && <p className="o-soft">{t('You have no passkey yet.')}</p>}
      {isOnline && work === 'add' && <AddForm layout={layout} returned={returned} close={close} />}
      {isOnline && ending && <RemoveForm passkey={ending} returned={returned} close={close} />}
      <ul className="o-sessions" aria-label={t('Your passkeys')}>
        {data?.map((one) => (
          <li key={one.Id}>
            <strong>{one.name}</strong>
            <span className="o-soft">{factsOf(one)}</span>
            <Button size="small" disabled={!isOnline} onClick={() => setWork(one.Id)} aria-label={t('Remove {{name}}', { name: one.name })}>
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function factsOf({ host, isBackedUp, dateCreated, lastUsedAt }: Passkey): string {
  return [
    lastUsedAt ? t('last used {{when}}', { when: relativeTime(lastUsedAt) }) : t('not used yet'),
    t('since {{when}}', { when: relativeTime(dateCreated) }),
    isBackedUp && t('on all devices of your password manager'),
    host !== location.hostname && t('signs in at {{host}}', { host }),
  ]
    .filter(Boolean)
    .join(' · ')
}

interface WorkProps {
  /** Of this work, when the person comes back from their identity provider. */
  returned: Returned | null
  close: () => void
}

function AddForm({ layout, returned, close }: WorkProps & { layout: ConsoleLayout }) {
  const [form] = Form.useForm<Proof & { name: string; code?: string }>()
  const { data: factor } = useQuery({
    queryKey: ['second-factor'],
    queryFn: async () => (await call('auth.secondFactor')).data,
  })
  const { isBusy, error, submit } = useSubmission(form, async (values) => {
    const { makePasskey } = await import('../../session/passkeys.ts')
    const made = { name: values.name.trim(), code: values.code, dataOf: layout.isFieldRole ? layout.user.Id : null }
    try {
      await runProven(form, values, (proof) => makePasskey({ ...made, proof }))
    } catch (cause) {
      throw cause instanceof ApiError ? cause : new Error(t(notMade))
    }
    toast.success({ title: t('You can sign in with your passkey from now on') })
    close()
  })
  return (
    <Form
      noValidate
      form={form}
      {...formLook}
      onFinish={submit}
      name="add-passkey"
      initialValues={{ name: browserOf(navigator.userAgent), ...returned?.values, confirmation: returned?.confirmation }}
    >
      <FormError error={error} />
      <Form.Item
        label={t('Name of the passkey')}
        name="name"
        rules={[{ required: true, whitespace: true, message: t('Enter a name that you know it by.') }]}
      >
        <Input size="large" maxLength={100} autoComplete="off" />
      </Form.Item>
      <ProofField
        begun={() => ({ card: 'passkeys', work: 'add', values: { name: form.getFieldValue('name') as string } })}
        isRefused={isRefused(returned)}
      />
      {factor?.isOn && <CodeField />}
      <div className="o-factor-actions">
        <Button type="primary" htmlType="submit" loading={isBusy}>
          {t('Continue')}
        </Button>
        <Button onClick={close}>{t('Cancel')}</Button>
      </div>
    </Form>
  )
}

function RemoveForm({ passkey, returned, close }: WorkProps & { passkey: Passkey }) {
  const [form] = Form.useForm<Proof>()
  const { isBusy, error, submit } = useSubmission(form, async (values) => {
    await runProven(form, values, async (proof) => void (await call('auth.endPasskey', { body: { passkeyId: passkey.Id, ...proof } })))
    toast.success({ title: t('{{name}} does not sign you in any more', { name: passkey.name }) })
    close()
  })
  return (
    <Form
      noValidate
      form={form}
      {...formLook}
      onFinish={submit}
      name="remove-passkey"
      initialValues={{ confirmation: returned?.confirmation }}
    >
      <p>{t('{{name}} will not sign you in any more. Delete it on your device too.', { name: passkey.name })}</p>
      <FormError error={error} />
      <ProofField begun={() => ({ card: 'passkeys', work: passkey.Id })} isRefused={isRefused(returned)} />
      <div className="o-factor-actions">
        <Button type="primary" danger htmlType="submit" loading={isBusy}>
          {t('Remove the passkey')}
        </Button>
        <Button onClick={close}>{t('Cancel')}</Button>
      </div>
    </Form>
  )
}

const notMade = 'No passkey was made. This device has one of yours already, or it was cancelled.'

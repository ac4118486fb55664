import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { FormInstance } from 'antd'
import { ApiError } from '../../data/api.ts'
import { call } from '../../data/calls.ts'
import { t } from '../../session/labels.ts'
import { FormError } from '../form.tsx'
import { confirmElsewhere, type Begun } from './confirming.ts'
import './factor.css'

/** Who the person is, as a call takes it: one of the two. */
export interface Proof {
  password?: string | undefined
  confirmation?: string | undefined
}
const proofOf = ({ password, confirmation }: Proof): Proof => (confirmation ? { confirmation } : { password })

/**
 * Runs a call with the proof that was given. A confirmation is dropped when it was used up or the browser stopped what it was for; what
 * only has to be typed anew, a code, keeps it.
 */
export async function runProven(form: FormInstance, values: Proof, run: (proof: Proof) => Promise<void>): Promise<void> {
  try {
    await run(proofOf(values))
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code === 'TOKEN_INVALID') form.setFieldValue('confirmation', undefined)
    throw cause
  }
}

interface ProofFieldProps {
  /** What the person is about to do, for the way back. */
  begun: () => Begun
  isRefused: boolean
}

/** The password of the account, or for whom an identity provider signed in a way to sign in there anew. */
export function ProofField({ begun, isRefused }: ProofFieldProps) {
  const { data, isPending } = useQuery({
    queryKey: ['confirm-ways'],
    staleTime: 0,
    queryFn: async () => (await call('saml.confirmWays')).data,
    retry: false,
  })
  const isConfirmed = Boolean(Form.useWatch<string | undefined>('confirmation', { preserve: true }))
  if (isPending) return <div className="o-factor-wait" aria-busy="true" />
  const provider = data?.provider ?? null
  const hasPassword = provider === null || data?.hasPassword === true
  return (
    <>
      {hasPassword && !isConfirmed && (
        <Form.Item label={t('Your password')} name="password" rules={[{ required: true, message: t('Enter your password.') }]}>
          <Input.Password size="large" autoComplete="current-password" autoFocus maxLength={128} />
        </Form.Item>
      )}
      {provider !== null && (
        <Form.Item name="confirmation" rules={hasPassword ? [] : [{ required: true, message: t('Confirm that it is you first.') }]}>
          <Confirmation provider={provider} begun={begun} isRefused={isRefused} />
        </Form.Item>
      )}
    </>
  )
}

/** A control of a form whose value is the confirmation. */
function Confirmation({ value, provider, begun, isRefused }: ProofFieldProps & { value?: string; provider: string }) {
  const [error, setError] = useState<Error | null>(
    isRefused ? new Error(t('Your organisation’s sign-in was not accepted here. Try again, or ask an administrator.')) : null,
  )
  const [isBusy, setBusy] = useState(false)
  const confirmed = useRef<HTMLParagraphElement>(null)
  // Whoever comes back is led to where they were.
  useEffect(() => confirmed.current?.focus(), [value])
  if (value)
    return (
      <p ref={confirmed} role="status" tabIndex={-1} className="o-factor-confirmed">
        {t('You confirmed at {{name}} that it is you. This counts once, for five minutes.', { name: provider })}
      </p>
    )
  const leave = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await confirmElsewhere(begun())
    } catch (cause) {
      setBusy(false)
      setError(cause instanceof Error ? cause : new Error(String(cause)))
    }
  }
  return (
    <>
      <FormError error={error} />
      <Button size="large" loading={isBusy} autoFocus={isRefused} onClick={() => void leave()}>
        {t('Confirm at {{name}}', { name: provider })}
      </Button>
    </>
  )
}

import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Input } from 'antd'
import { useState } from 'react'
import type { CallData } from '@outpost/client/client'
import { call } from '../../data/calls.ts'
import { t } from '../../session/labels.ts'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import type { CustomProps } from '../props.ts'
import './saml-trial.css'

type Outcome = CallData<'samlProviders.tryResponse'>

/** What a response of an identity provider would give, before anybody signs in by it. */
export function SamlTrial({ params: { id = '' } }: CustomProps) {
  const [response, setResponse] = useState('')
  const provider = useQuery({
    queryKey: ['saml-provider', id],
    queryFn: async ({ signal }) => (await call('samlProviders.get', { params: { id } }, { signal })).data.samlProvider,
  })
  const attempt = useMutation({
    mutationFn: async () => (await call('samlProviders.tryResponse', { params: { id }, body: { response } })).data,
  })
  if (provider.error) return <ErrorState error={provider.error} what={t('The identity provider')} onRetry={() => void provider.refetch()} />
  if (!provider.data) return <LoadingState rows={6} />
  return (
    <div className="st">
      <h1 tabIndex={-1}>{t('Try a response')}</h1>
      <p>
        <Link to={`/admin/saml/view/${id}`}>{String(provider.data['name'])}</Link>{' '}
        {t('sends a response when somebody signs in. Paste one here, as XML or as the SAMLResponse of the form. Nothing is done with it.')}
      </p>
      <label htmlFor="st-response">{t('Response')}</label>
      <Input.TextArea
        id="st-response"
        value={response}
        autoSize={{ minRows: 6, maxRows: 16 }}
        spellCheck={false}
        onChange={(event) => setResponse(event.target.value)}
      />
      <Button type="primary" loading={attempt.isPending} disabled={response.trim() === ''} onClick={() => attempt.mutate()}>
        {t('Try it')}
      </Button>
      {attempt.error && <Alert type="error" showIcon role="alert" title={attempt.error.message} />}
      {attempt.data && <Verdict outcome={attempt.data} />}
    </div>
  )
}

function Verdict({ outcome }: { outcome: Outcome }) {
  const { isAccepted, refusal, attributes } = outcome
  return (
    <section className="st-verdict" aria-live="polite">
      <Alert
        type={isAccepted ? 'success' : 'error'}
        showIcon
        role="status"
        title={isAccepted ? t('It would sign this person in') : t('It would be refused')}
        description={refusal}
      />
      <dl>
        {factsOf(outcome).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {attributes.length > 0 && (
        <table>
          <caption>{t('What it says')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Attribute')}</th>
              <th scope="col">{t('Values')}</th>
            </tr>
          </thead>
          <tbody>
            {attributes.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{values.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function factsOf({ nameId, email, user, by, wouldMake, roles, tenant }: Outcome): [string, string][] {
  const known = by === 'identity' ? t('known from before') : t('recognised by e-mail')
  return [
    ...pair(t('Name there'), nameId),
    ...pair(t('E-mail'), email),
    ...pair(t('User'), user ? `${user.name} (${known})` : wouldMake ? t('A new one') : null),
    ...pair(t('Works in'), tenant?.name ?? null),
    ...pair(t('Roles'), roles ? roles.map(({ name }) => name).join(', ') : user && t('keeps the own ones')),
  ]
}
const pair = (label: string, value: string | null): [string, string][] => (value === null ? [] : [[label, value]])

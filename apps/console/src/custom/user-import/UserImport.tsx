import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Upload } from 'antd'
import { useState } from 'react'
import type { CallData } from '@outpost/client/client'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { explainFailure } from '../../view/actions/call.ts'
import './user-import.css'

type Outcome = CallData<'users.import'>
/** What a file looks like, for who begins one. */
const example =
  'First name,Last name,E-mail,User name,Mobile,Job title,Tenant,Roles\nAmina,Odhiambo,amina@example.com,amina,+254712345678,Loan officer,Nairobi,Loan Officer\n'

function send(file: File, dryRun: boolean): Promise<Outcome> {
  const body = new FormData()
  body.append('dryRun', String(dryRun))
  body.append('file', file, file.name)
  return call('users.import', { body }).then(({ data }) => data)
}

/** Users from a file: what would become of each row first, and then all of them or none. */
export function UserImport() {
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const trial = useMutation({ mutationFn: (chosen: File) => send(chosen, true) })
  const commit = useMutation({
    mutationFn: (chosen: File) => send(chosen, false),
    onSuccess: async ({ made }) => {
      toast.success({ title: t('{{count}} users made and invited', { count: made }) })
      await navigate({ to: '/admin/users/list' })
    },
  })
  const choose = (chosen: File): void => {
    setFile(chosen)
    commit.reset()
    trial.mutate(chosen)
  }
  const failure = commit.error ?? trial.error
  return (
    <div className="ui">
      <h1 tabIndex={-1}>{t('Import users')}</h1>
      <p>
        {t(
          'A CSV or XLSX file with one user a row, 500 rows at most. Needed are first name, last name and e-mail; several tenants or roles have a semicolon between them. Each user is invited by mail to choose a password.',
        )}
      </p>
      <div className="ui-actions">
        <Upload accept=".csv,.xlsx" showUploadList={false} beforeUpload={(chosen) => (choose(chosen), false)}>
          <Button type={trial.data ? 'default' : 'primary'} loading={trial.isPending}>
            {file ? t('Choose another file') : t('Choose a file')}
          </Button>
        </Upload>
        <a href={`data:text/csv;charset=utf-8,${encodeURIComponent(example)}`} download="users.csv">
          {t('An example to fill in')}
        </a>
      </div>
      {failure && (
        <Alert type="error" showIcon role="alert" title={explainFailure(failure).message} description={<Faults error={failure} />} />
      )}
      {file && trial.data && !trial.isPending && (
        <Judgement name={file.name} outcome={trial.data} isBusy={commit.isPending} onCommit={() => commit.mutate(file)} />
      )}
    </div>
  )
}

function Faults({ error }: { error: Error & { fields?: readonly { field: string; message: string }[] } }) {
  if (!error.fields || error.fields.length === 0) return null
  return (
    <ul className="ui-faults">
      {error.fields.map(({ field, message }) => (
        <li key={`${field} ${message}`}>{field === 'file' ? `${t('The file')} ${t(message)}` : `${field} ${t(message)}`}</li>
      ))}
    </ul>
  )
}

interface JudgementProps {
  name: string
  outcome: Outcome
  isBusy: boolean
  onCommit: () => void
}

function Judgement({ name, outcome: { made, refused, rows }, isBusy, onCommit }: JudgementProps) {
  return (
    <section className="ui-judgement" aria-labelledby="ui-verdict">
      <div className="ui-verdict">
        <div role="status">
          <h2 id="ui-verdict">
            {refused === 0
              ? `${name}: ${t('{{count}} users can be made', { count: made })}`
              : `${name}: ${t('{{count}} rows have to be put right first', { count: refused })}`}
          </h2>
        </div>
        <Button type="primary" disabled={refused > 0} loading={isBusy} onClick={onCommit}>
          {t('Make and invite {{count}} users', { count: made })}
        </Button>
      </div>
      <div className="ui-rows" role="region" aria-label={t('Rows')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Row')}</th>
              <th scope="col">{t('Name')}</th>
              <th scope="col">{t('E-mail')}</th>
              <th scope="col">{t('Verdict')}</th>
            </tr>
          </thead>
          <tbody>
            {/* What has to be put right comes first. */}
            {rows
              .toSorted((one, other) => Number(one.verdict === 'make') - Number(other.verdict === 'make'))
              .map(({ row, name: person, emailAddress, verdict, problems }) => (
                <tr key={row}>
                  <td>{row}</td>
                  <td>{person}</td>
                  <td>{emailAddress}</td>
                  <td>
                    <strong>{verdict === 'make' ? t('Is made') : t('Refused')}</strong>
                    {problems.map(({ field, message }) => (
                      <div key={`${field} ${message}`}>{`${field}: ${t(message)}`}</div>
                    ))}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

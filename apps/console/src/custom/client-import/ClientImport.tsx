import { useMutation } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useState } from 'react'
import { call } from '../../data/calls.ts'
import { t } from '../../session/labels.ts'
import { ImportStart } from '../../view/import/ImportStart.tsx'
import { ErrorText } from '../../view/states/index.tsx'
import '../../view/import/import.css'
import './client-import.css'
import type { Sheet } from './run.ts'
import { SheetImport } from './SheetImport.tsx'

const example =
  'First name,Last name,Phone,ID number,E-mail,Date of birth,Type,Employer,Town,Branch,Agent\nAmina,Odhiambo,+254712345678,30111222,amina@example.com,1990-02-28,Civil servant,Ministry of Health,Kisumu,,\n'

/** Clients from a file: what its columns are, what would become of each row, then portion by portion. */
export function ClientImport() {
  const [name, setName] = useState('')
  const read = useMutation({ mutationFn: readSheet })
  return (
    <div className="import client-import">
      <ImportStart
        title={t('Import clients')}
        help={t(
          'A CSV or XLSX file with one client a row, 10,000 rows at most. Needed are first name, last name and phone. A branch is given by its name or short code, an agent by name or e-mail; without them clients are yours, in the branch you work in. Rows with an error keep no other row back.',
        )}
        accept=".csv,.xlsx"
        example={{ name: 'clients.csv', text: example }}
        hasFile={name !== ''}
        isRead={read.data !== undefined}
        isBusy={read.isPending}
        onChoose={(file) => {
          setName(file.name)
          read.mutate(file)
        }}
      />
      {read.error ? <Alert type="error" showIcon role="alert" title={<ErrorText error={read.error} />} /> : null}
      {read.data && !read.isPending ? <SheetImport key={read.submittedAt} name={name} sheet={read.data} /> : null}
    </div>
  )
}

async function readSheet(file: File): Promise<Sheet> {
  const body = new FormData()
  body.append('file', file, file.name)
  return (await call('clients.readImport', { body })).data
}

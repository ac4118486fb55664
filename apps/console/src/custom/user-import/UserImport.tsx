import { call } from '../../data/calls.ts'
import { t } from '../../session/labels.ts'
import { ImportScreen, type ImportKind } from '../../view/import/ImportScreen.tsx'
import type { ImportOutcome } from '../../view/import/ImportVerdicts.tsx'

const example =
  'First name,Last name,E-mail,User name,Mobile,Job title,Tenant,Roles\nAmina,Odhiambo,amina@example.com,amina,+254712345678,Loan officer,Nairobi,Loan Officer\n'

/** Users from a file; each is invited by mail. */
export function UserImport() {
  return <ImportScreen kind={userKind()} />
}

const userKind = (): ImportKind<File> => ({
  title: t('Import users'),
  help: t(
    'A CSV or XLSX file with one user a row, 500 rows at most. Needed are first name, last name and e-mail; several tenants or roles have a semicolon between them. Each user is invited by mail to choose a password.',
  ),
  accept: '.csv,.xlsx',
  example: { name: 'users.csv', text: example },
  list: '/admin/users/list',
  columns: [t('Name'), t('E-mail')],
  read: (file) => file,
  send,
  words: {
    possible: (count) => t('{{count}} users can be made', { count }),
    make: (count) => t('Make and invite {{count}} users', { count }),
    made: (count) => t('{{count}} users made and invited', { count }),
  },
})

async function send(file: File, dryRun: boolean): Promise<ImportOutcome> {
  const body = new FormData()
  body.append('dryRun', String(dryRun))
  body.append('file', file, file.name)
  const { data } = await call('users.import', { body })
  return { ...data, rows: data.rows.map(({ row, name, emailAddress, problems }) => ({ row, cells: [name, emailAddress], problems })) }
}

import { call } from '../../data/calls.ts'
import { t } from '../../session/labels.ts'
import { ImportScreen, type ImportKind } from '../../view/import/ImportScreen.tsx'
import type { ImportOutcome } from '../../view/import/ImportVerdicts.tsx'

const example =
  'Name,Organisation,Position,Phone,Other phone,E-mail,Seen by,Notes\nAmina Odhiambo,Ministry of Health,Payroll,+254712345678,,amina@example.com,SHARED,\n'

/** Contacts from the vCards of a phone or from a table. */
export function ContactImport() {
  return <ImportScreen kind={contactKind()} />
}

const contactKind = (): ImportKind<string> => ({
  title: t('Import contacts'),
  help: t(
    'A file of vCards, as phones write them, or a CSV file with one contact a row; 500 contacts at most. Who is in the phone book already is left out. Contacts are yours alone, unless a column "Seen by" says SHARED or BRANCH.',
  ),
  accept: '.vcf,.csv',
  example: { name: 'contacts.csv', text: example },
  list: '/clients/phone-book',
  columns: [t('Name'), t('Phone')],
  read: (file) => file.text(),
  send,
  words: {
    possible: (count) => t('{{count}} contacts can be added', { count }),
    make: (count) => t('Add {{count}} contacts', { count }),
    made: (count) => t('{{count}} contacts added', { count }),
  },
})

async function send(text: string, dryRun: boolean): Promise<ImportOutcome> {
  const { data } = await call('phoneBook.import', { body: { dryRun, text } })
  return { ...data, rows: data.rows.map(({ row, name, phonenumber, problems }) => ({ row, cells: [name, phonenumber], problems })) }
}

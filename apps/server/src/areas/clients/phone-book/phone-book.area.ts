import { defineArea, may, route } from '../../../kernel/area.ts'
import { command, create, get, list, query, remove, restore, update } from '../../../kernel/resource/operations.ts'
import { custom, formOf, listOf, screen } from '../../../kernel/screens/screen.ts'
import { phoneBook, phoneBookEntry } from './phone-book.resource.ts'
import { existAnswer, existInput, numberExists } from './known-numbers.ts'
import { importAnswer, importEntries, importInput } from './import-entries.ts'
import { vcards, vcardsInput } from './vcards.ts'

const own = { own: true }
const see = may('CLIENTS')
const path = '/api/phone-book'
/** Said below a number while it is typed; it may be entered all the same. */
const check = { route: 'phoneBook.exist', fields: ['phonenumber', 'otherNumber', 'emailAddress'], message: 'is in the phone book already' }

/** The phone book: numbers for everybody, the branch or oneself, beside the clients and leads in reach. */
export const phoneBookArea = defineArea({
  name: 'phoneBook',
  resources: [phoneBook, phoneBookEntry],
  routes: [
    route('phoneBook.list', 'GET', path, see, list(phoneBook), own),
    route('phoneBook.vcards', 'POST', `${path}/vcards`, see, query(vcardsInput, vcards), { own: true, sends: 'text/vcard', summary: 'The chosen rows as a file of vCards' }),
    route('phoneBook.exist', 'POST', `${path}/exist`, see, query(existInput, numberExists, existAnswer), { own: true, limit: 240, summary: 'Who in the phone book has a number or an address already' }),
    route('phoneBook.import', 'POST', `${path}/import`, may('CLIENTS/CREATE'), command(importInput, importEntries, importAnswer), { own: true, bodyLimit: 4_194_304, limit: 20, summary: 'Makes contacts of the vCards or rows of a file, all or none; with dryRun it says what would become of each' }),
    route('phoneBook.entries', 'GET', `${path}/entries`, see, list(phoneBookEntry), own),
    route('phoneBook.get', 'GET', `${path}/entries/:id`, see, get(phoneBookEntry), own),
    route('phoneBook.create', 'POST', `${path}/entries`, may('CLIENTS/CREATE'), create(phoneBookEntry), own),
    route('phoneBook.update', 'PUT', `${path}/entries/:id`, may('CLIENTS/EDIT'), update(phoneBookEntry), own),
    route('phoneBook.remove', 'POST', `${path}/entries/delete`, may('CLIENTS/EDIT'), remove(phoneBookEntry), own),
    route('phoneBook.restore', 'POST', `${path}/entries/restore`, may('CLIENTS/EDIT'), restore(phoneBookEntry), own),
  ],
  screens: [
    screen('/clients/phone-book', see, listOf(phoneBook, { source: 'phoneBook.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'clients', label: 'Phone book', icon: 'phone', order: 3 } }),
    screen('/clients/phone-book/create', may('CLIENTS/CREATE'), formOf(phoneBookEntry, { after: '/clients/phone-book', overrides: { check } })),
    screen('/clients/phone-book/import', may('CLIENTS/CREATE'), custom('contact-import', 'Import contacts')),
    screen('/clients/phone-book/edit/:id', may('CLIENTS/EDIT'), formOf(phoneBookEntry, { after: '/clients/phone-book', overrides: { check } })),
  ],
})

import { defineArea, may, route } from '../../../kernel/area.ts'
import { create, get, list, query, remove, restore, update } from '../../../kernel/resource/operations.ts'
import { formOf, listOf, screen } from '../../../kernel/screens/screen.ts'
import { phoneBook, phoneBookEntry } from './phone-book.resource.ts'
import { vcards, vcardsInput } from './vcards.ts'

const own = { own: true }
const see = may('CLIENTS')
const path = '/api/phone-book'

/** The phone book: numbers for everybody, the branch or oneself, beside the clients and leads in reach. */
export const phoneBookArea = defineArea({
  name: 'phoneBook',
  resources: [phoneBook, phoneBookEntry],
  routes: [
    route('phoneBook.list', 'GET', path, see, list(phoneBook), own),
    route('phoneBook.vcards', 'POST', `${path}/vcards`, see, query(vcardsInput, vcards), { own: true, sends: 'text/vcard', summary: 'The chosen rows as a file of vCards' }),
    route('phoneBook.entries', 'GET', `${path}/entries`, see, list(phoneBookEntry), own),
    route('phoneBook.get', 'GET', `${path}/entries/:id`, see, get(phoneBookEntry), own),
    route('phoneBook.create', 'POST', `${path}/entries`, may('CLIENTS/CREATE'), create(phoneBookEntry), own),
    route('phoneBook.update', 'PUT', `${path}/entries/:id`, may('CLIENTS/EDIT'), update(phoneBookEntry), own),
    route('phoneBook.remove', 'POST', `${path}/entries/delete`, may('CLIENTS/EDIT'), remove(phoneBookEntry), own),
    route('phoneBook.restore', 'POST', `${path}/entries/restore`, may('CLIENTS/EDIT'), restore(phoneBookEntry), own),
  ],
  screens: [
    screen('/clients/phone-book', see, listOf(phoneBook, { source: 'phoneBook.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'clients', label: 'Phone book', icon: 'phone', order: 3 } }),
    screen('/clients/phone-book/create', may('CLIENTS/CREATE'), formOf(phoneBookEntry, { after: '/clients/phone-book' })),
    screen('/clients/phone-book/edit/:id', may('CLIENTS/EDIT'), formOf(phoneBookEntry, { after: '/clients/phone-book' })),
  ],
})

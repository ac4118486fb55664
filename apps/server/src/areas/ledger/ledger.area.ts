import { defineArea, may, route } from '../../kernel/area.ts'
import { create, get, list, query, update } from '../../kernel/resource/operations.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { exportDay, exportInput } from './ledger.export.ts'
import { ledgerAccount, ledgerEntry, ledgerLine } from './ledger.resources.ts'

const see = may('LOAN/DISBURSEMENTS')
const keep = may('ADMIN/SETTINGS')
const own = { own: true }

/** The ledger: a chart of accounts, entries that balance and are never changed, and the lines behind every balance. */
export const ledgerArea = defineArea({
  name: 'ledger',
  resources: [ledgerAccount, ledgerEntry, ledgerLine],
  routes: [
    route('ledgerAccounts.list', 'GET', '/api/ledger/accounts', see, list(ledgerAccount), own),
    route('ledgerAccounts.get', 'GET', '/api/ledger/accounts/:id', see, get(ledgerAccount), own),
    route('ledgerAccounts.create', 'POST', '/api/ledger/accounts', keep, create(ledgerAccount), own),
    route('ledgerAccounts.update', 'PUT', '/api/ledger/accounts/:id', keep, update(ledgerAccount), own),
    route('ledgerEntries.list', 'GET', '/api/ledger/entries', see, list(ledgerEntry), own),
    route('ledgerEntries.get', 'GET', '/api/ledger/entries/:id', see, get(ledgerEntry), own),
    route('ledgerLines.list', 'GET', '/api/ledger/lines', see, list(ledgerLine), own),
    route('ledger.export', 'POST', '/api/ledger/export', see, query(exportInput, exportDay), { own: true, sends: 'text/csv', summary: 'All lines booked on a day as CSV' }),
  ],
  panels: [on('ledgerAccount', by(ledgerLine, 'accountId', 'Lines')), on('loan', by(ledgerEntry, 'loanId', 'Ledger'))],
  screens: [
    screen('/ledger/accounts', see, listOf(ledgerAccount, { source: 'ledgerAccounts.list', overrides: { actions: [
      { route: 'ledger.export', label: 'Export a day', scope: 'page', download: true, form: { day: { kind: 'date', label: 'Booked on', required: true } } },
    ] } }), { menu: { under: 'loans', label: 'Ledger', icon: 'book', order: 40 } }),
    screen('/ledger/accounts/add', keep, formOf(ledgerAccount)),
    screen('/ledger/accounts/edit/:id', keep, formOf(ledgerAccount)),
    screen('/ledger/accounts/view/:id', see, detailOf(ledgerAccount, { overrides: { sections: [{ rows: [['code', 'name'], ['kind', 'balance'], ['debit', 'credit']] }] } })),
    screen('/ledger/entries', see, listOf(ledgerEntry, { source: 'ledgerEntries.list' }), { menu: { under: 'loans', label: 'Ledger entries', icon: 'audit', order: 50 } }),
    screen('/ledger/entries/view/:id', see, detailOf(ledgerEntry, { overrides: { sections: [{ rows: [['text', 'kind'], ['bookedOn', 'valueOn'], ['amount', 'loanId'], ['paymentId', 'reversesId'], ['tenantId', 'dateCreated']] }, { title: 'Lines', rows: [['lines']] }] } })),
    screen('/ledger/lines', see, listOf(ledgerLine, { source: 'ledgerLines.list' })),
  ],
})

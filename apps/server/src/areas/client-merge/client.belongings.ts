import type { Belongings } from '../../kernel/merging/belongings.ts'

const plain = (table: string, one?: string) => ({ table, column: 'clientId', ...(one ? { one } : {}) })
const ofLoan = (table: string, one?: string) => ({ ...plain(table, one), follows: { column: 'loanId', of: 'loans' } })
const line = (table: string, sameBy: readonly string[]) => ({ table, column: 'clientId', isFiled: true, sameBy })

/**
 * What goes with a client. Comments, moves and acts stay with the one they were made of and are read through its family; what was agreed
 * and assessed while a lead comes along as the two leads become one. Complaints and messages, among them letters about complaints, announce
 * nothing to screens: people they are hidden from would hear of them.
 */
export const clientBelongings: Belongings = {
  activities: { ...plain('activity_client'), isPair: true, of: { table: 'activity', one: 'activity', column: 'activityId' } },
  applications: { ...plain('loan_application', 'loanApplication'), isSynced: true },
  assets: plain('asset', 'asset'),
  cases: { ...plain('sales_case', 'case'), isSynced: true },
  tasks: { ...plain('task', 'task'), isSynced: true },
  complaints: ofLoan('complaint'),
  identifiers: line('client_identifier', ['kind', 'number']),
  contacts: line('client_contact', ['kind', 'value']),
  addresses: line('client_address', ['kind', 'lineone', 'city']),
  nextOfKin: line('client_kin', ['name', 'phonenumber', 'idNumber', 'isGuarantor']),
  documents: line('client_document', ['kind', 'number', 'expiresOn']),
  formAnswers: { ...plain('web_form_answer', 'webFormAnswer'), isSynced: true },
  groups: { ...plain('client_group_member'), of: { table: 'client_group', one: 'clientGroup', column: 'groupId' } },
  sheetLines: { ...plain('collection_line'), of: { table: 'collection_sheet', one: 'collectionSheet', column: 'sheetId' } },
  loans: plain('loan', 'loan'),
  loanContacts: ofLoan('loan_contact'),
  loanChanges: ofLoan('loan_change', 'loanChange'),
  settlements: ofLoan('settlement_quote', 'settlement'),
  securitySales: ofLoan('security_sale', 'securitySale'),
  disbursements: ofLoan('disbursement', 'disbursement'),
  payments: ofLoan('payment', 'payment'),
  promises: ofLoan('payment_promise', 'promise'),
  messages: plain('client_message'),
  ussdNumbers: plain('ussd_number', 'ussdNumber'),
  ussdSessions: plain('ussd_session', 'ussdSession'),
  ussdRequests: plain('ussd_request', 'ussdRequest'),
  files: { table: 'stored_file', column: 'ownerId', typeColumn: 'ownerType' },
  recordFiles: { table: 'record_file', column: 'objectId', typeColumn: 'objectType', isFiled: true },
}

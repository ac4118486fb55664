import type { Route } from 'playwright'
import type { ConsoleLayout } from '@outpost/contract/console'
import type { FieldView } from '@outpost/contract/fields'
import { isGroup } from '@outpost/contract/envelope'
import type { FilterPart } from '@outpost/contract/envelope'
import type { StepView } from '@outpost/contract/call-views'
import type { DashboardView, DetailView, FormView, ListView, ReportView, View } from '@outpost/contract/views'
import { fixtureLayout } from './fixture.ts'
import { refuse, sentBy } from './browser.ts'
import type { Answers } from './browser.ts'

const statuses = ['New', 'Contacted', 'Qualified', 'Submitted', 'Converted', 'Junk']
const colours = ['blue', 'cyan', 'gold', 'purple', 'green', 'red']
const statusOptions = statuses.map((value, index) => ({ value, label: value, colour: colours[index] }))
const users = [
  ['u1', 'Amina Otieno'],
  ['u2', 'Brian Kamau'],
  ['u3', 'Chebet Rono'],
] as const
const userReference = { to: 'user', path: '/api/users', many: 'users', idKey: 'Id', labelKey: 'fullName' }

export const leadFields: FieldView[] = [
  { key: 'fullName', kind: 'text', label: 'Name', readOnly: true },
  { key: 'firstName', kind: 'personName', label: 'First name', required: true, maxLength: 20 },
  { key: 'lastName', kind: 'personName', label: 'Last name', required: true },
  { key: 'phonenumber', kind: 'phone', label: 'Phone', required: true, help: 'A leading 0 and 9 digits' },
  { key: 'emailAddress', kind: 'email', label: 'E-mail' },
  { key: 'status', kind: 'choice', label: 'Status', options: statusOptions },
  { key: 'assignedUserId', kind: 'reference', label: 'Assigned to', reference: userReference },
  { key: 'installmentAmount', kind: 'money', label: 'Instalment' },
  { key: 'consent', kind: 'boolean', label: 'Consent given' },
  { key: 'employer', kind: 'text', label: 'Employer', visibleIf: { eq: ['consent', true] }, requiredIf: { eq: ['consent', true] } },
  { key: 'birthday', kind: 'date', label: 'Birthday' },
  { key: 'dateCreated', kind: 'dateTime', label: 'Captured', readOnly: true },
  { key: 'notes', kind: 'longText', label: 'Notes', maxLength: 500 },
]
const columns = ['fullName', 'phonenumber', 'status', 'assignedUserId', 'installmentAmount', 'consent', 'dateCreated']

export const leadList: ListView = {
  kind: 'list',
  title: 'Leads',
  resource: 'lead',
  many: 'leads',
  idKey: 'Id',
  titleKey: 'fullName',
  source: { method: 'GET', path: '/api/leads' },
  fields: leadFields,
  columns: [
    ...columns.map((key) => ({ key, sortable: ['fullName', 'status', 'dateCreated', 'installmentAmount'].includes(key) })),
    { key: 'emailAddress', hidden: true },
  ],
  filters: [
    { key: 'status', operators: ['eq', 'ne', 'in', 'empty', 'notEmpty'] },
    { key: 'assignedUserId', operators: ['eq', 'in', 'empty'] },
    { key: 'installmentAmount', operators: ['gte', 'lte', 'empty'] },
    { key: 'dateCreated', operators: ['gte', 'lte'] },
    { key: 'consent', operators: ['eq'] },
  ],
  search: true,
  sort: { field: 'dateCreated', order: 'DESC' },
  pageSize: 100,
  dateTypes: [
    { value: 'created', label: 'Captured' },
    { value: 'consent', label: 'Consent' },
  ],
  routes: { create: '/sales/leads/create', edit: '/sales/leads/edit/:id' },
  actions: [
    {
      key: 'leads.assign',
      label: 'Assign',
      scope: 'bulk',
      call: { method: 'POST', path: '/api/leads/assignlead' },
      idField: 'ids',
      many: true,
      form: [{ key: 'userId', kind: 'reference', label: 'Agent', required: true, reference: userReference }],
    },
    {
      key: 'leads.resendConsent',
      label: 'Ask for consent',
      scope: 'row',
      call: { method: 'POST', path: '/api/leads/resendconsent' },
      idField: 'leadId',
    },
    {
      key: 'leads.remove',
      label: 'Delete',
      scope: 'bulk',
      call: { method: 'POST', path: '/api/leads/delete' },
      idField: 'ids',
      many: true,
      danger: true,
      confirm: { title: 'Delete the chosen leads?' },
      undo: { method: 'POST', path: '/api/leads/restore' },
    },
  ],
  presentation: 'table',
  exportReport: 'exportList',
  inline: {
    submit: { method: 'PUT', path: '/api/leads/:id' },
    one: 'lead',
    fields: leadFields.filter((field) => ['phonenumber', 'status', 'installmentAmount'].includes(field.key)),
  },
  empty: { title: 'No leads here yet', action: { label: 'New lead', screen: '/sales/leads/create' } },
  offline: false,
}

const form = (title: string, path: string, method: 'POST' | 'PUT', load?: FormView['load']): FormView => ({
  kind: 'form',
  title,
  resource: 'lead',
  one: 'lead',
  idKey: 'Id',
  titleKey: 'fullName',
  fields: leadFields.filter((field) => field.key !== 'fullName'),
  sections: [
    {
      title: 'Person',
      rows: [
        ['firstName', 'lastName'],
        ['phonenumber', 'emailAddress'],
        ['birthday', 'status'],
      ],
    },
    { title: 'Work', rows: [['consent'], ['employer', 'installmentAmount'], ['assignedUserId', 'dateCreated'], ['notes']] },
  ],
  ...(load ? { load } : {}),
  submit: { method, path },
  after: '/sales/leads',
  actions: [],
  check: {
    call: { method: 'GET', path: '/api/leads/exist' },
    fields: ['phonenumber', 'emailAddress'],
    message: 'Another lead has this already.',
    open: '/sales/leads/edit/:id',
    other: { message: 'A client has this already:', open: '/clients/:id/view', own: 'notes' },
  },
})
export const leadCreate = form('New lead', '/api/leads', 'POST')
export const leadEdit = form('Edit lead', '/api/leads/:id', 'PUT', { method: 'GET', path: '/api/leads/:id' })
const leadSteps: StepView[] = [
  { label: 'New', is: 'passed', at: '2026-11-19T08:00:00Z', who: 'System' },
  { label: 'Assigned', is: 'skipped' },
  { label: 'Contacted', is: 'current', at: '2026-11-20T08:00:00Z', who: 'Amina Otieno' },
  ...['Consent requested', 'Qualified', 'Onboarding', 'Submitted', 'Approved', 'Converted'].map((label) => ({
    label,
    is: 'ahead' as const,
  })),
]
export const leadDetail: DetailView = {
  kind: 'detail',
  title: 'Lead',
  resource: 'lead',
  one: 'lead',
  idKey: 'Id',
  titleKey: 'fullName',
  fields: leadFields,
  sections: [
    { title: 'Person', rows: [['firstName', 'lastName'], ['phonenumber'], ['status'], ['assignedUserId']] },
    { title: 'Work', rows: [['installmentAmount'], ['notes']] },
  ],
  load: { method: 'GET', path: '/api/leads/:id' },
  actions: leadList.actions.filter((action) => action.scope === 'row'),
  timeline: { method: 'GET', path: '/api/leads/:id/timeline' },
  hasSteps: true,
  edit: '/sales/leads/edit/:id',
}
const source = { method: 'GET', path: '/api/leads/figures' } as const
export const leadDashboard: DashboardView = {
  kind: 'dashboard',
  title: 'Leads dashboard',
  widgets: [
    { id: 'total', title: 'Leads', draw: 'number', source, value: 'total', open: '/sales/leads', span: 6 },
    { id: 'open', title: 'Open', draw: 'number', source, value: 'open', open: '/sales/leads', span: 6 },
    { id: 'won', title: 'Converted', draw: 'number', source, value: 'won', span: 6 },
    { id: 'rate', title: 'Conversion, %', draw: 'number', source, value: 'rate', span: 6 },
    {
      id: 'status',
      title: 'By status',
      draw: 'bars',
      source,
      value: 'byStatus',
      labelKey: 'status',
      valueKey: 'count',
      open: '/sales/leads?status=:status',
      span: 12,
    },
    { id: 'share', title: 'Sources', draw: 'donut', source, value: 'bySource', span: 12 },
    { id: 'days', title: 'Captured a day', draw: 'line', source, value: 'byDay', labelKey: 'day', valueKey: 'count', span: 16 },
    { id: 'agents', title: 'By agent', draw: 'table', source, value: 'byAgent', span: 8 },
  ],
}
export const agentReport: ReportView = {
  kind: 'report',
  title: 'Sales Agent report',
  report: 'salesAgentReport',
  description: 'Leads, contacts, consents and conversions of each agent in a period.',
  parameters: [
    { key: 'startDate', kind: 'date', label: 'From', required: true, defaultValue: '2026-11-01' },
    { key: 'endDate', kind: 'date', label: 'To', required: true, defaultValue: '2026-11-30' },
  ],
  formats: ['xlsx', 'csv'],
}
export const tenantTree: ListView = {
  ...leadList,
  title: 'Tenants',
  resource: 'tenant',
  many: 'tenants',
  titleKey: 'name',
  source: { method: 'GET', path: '/api/tenants' },
  presentation: 'tree',
  parentKey: 'parentId',
  dateTypes: undefined,
  fields: [
    { key: 'name', kind: 'text', label: 'Name' },
    { key: 'shortCode', kind: 'text', label: 'Code' },
  ],
  columns: [{ key: 'name', width: 320 }, { key: 'shortCode' }],
  filters: [],
  actions: [],
  routes: {},
  exportReport: undefined,
}
export const roleEdit: FormView = {
  kind: 'form',
  title: 'New role',
  resource: 'role',
  one: 'role',
  idKey: 'Id',
  titleKey: 'name',
  fields: [
    { key: 'name', kind: 'text', label: 'Name', required: true },
    { key: 'permissions', kind: 'permissionTree', label: 'Permissions', defaultValue: ['SALES', 'SALES/LEADS'] },
    { key: 'color', kind: 'colour', label: 'Colour' },
    { key: 'tags', kind: 'tags', label: 'Tags' },
    { key: 'place', kind: 'location', label: 'Place' },
    { key: 'settings', kind: 'json', label: 'Settings' },
    { key: 'secret', kind: 'password', label: 'Secret' },
    { key: 'share', kind: 'percent', label: 'Share' },
    { key: 'users', kind: 'multiReference', label: 'Users', reference: userReference },
    { key: 'channels', kind: 'multiChoice', label: 'Channels', options: statusOptions },
    { key: 'logo', kind: 'image', label: 'Logo' },
    { key: 'at', kind: 'dateTime', label: 'Starts' },
  ],
  sections: [
    {
      rows: [
        ['name', 'secret'],
        ['color', 'tags'],
        ['place', 'share'],
        ['users', 'channels'],
        ['at', 'logo'],
        ['settings'],
        ['permissions'],
      ],
    },
  ],
  submit: { method: 'POST', path: '/api/roles' },
  after: '/sales/leads',
  actions: [],
}
/** An entry with lines: what is booked where, in the currency it names. */
const journal = (title: string, method: 'POST' | 'PUT'): FormView => ({
  kind: 'form',
  title,
  resource: 'journalEntry',
  one: 'journalEntry',
  idKey: 'Id',
  titleKey: 'name',
  fields: [
    { key: 'name', kind: 'text', label: 'Name', required: true },
    { key: 'currencyCode', kind: 'choice', label: 'Currency', options: ['KES', 'UGX'].map((value) => ({ value, label: value })) },
    {
      key: 'lines',
      kind: 'lines',
      label: 'Lines',
      required: true,
      min: 2,
      max: 4,
      fields: [
        { key: 'account', kind: 'text', label: 'Account', required: true },
        { key: 'amount', kind: 'money', label: 'Amount', required: true, currency: 'currencyCode' },
        {
          key: 'side',
          kind: 'choice',
          label: 'Side',
          defaultValue: 'debit',
          options: [
            { value: 'debit', label: 'Debit' },
            { value: 'credit', label: 'Credit' },
          ],
        },
        { key: 'note', kind: 'text', label: 'Note', requiredIf: { eq: ['side', 'credit'] } },
      ],
    },
  ],
  sections: [{ rows: [['name', 'currencyCode'], ['lines']] }],
  ...(method === 'PUT' ? { load: { method: 'GET', path: '/api/journal/:id' } } : {}),
  submit: { method, path: method === 'PUT' ? '/api/journal/:id' : '/api/journal' },
  after: '/sales/leads',
  actions: [],
})

const views: Record<string, View> = {
  journalNew: journal('New entry', 'POST'),
  journalEdit: journal('Edit entry', 'PUT'),
  leads: leadList,
  create: leadCreate,
  edit: leadEdit,
  view: leadDetail,
  dashboard: leadDashboard,
  report: agentReport,
  tenants: tenantTree,
  role: roleEdit,
  calculator: {
    kind: 'calculator',
    title: 'Affordability',
    sum: 'cs-affordability',
    country: 'KE',
    ruleSets: [],
    run: { method: 'POST', path: '/api/calculators/cs-affordability/run' },
    pdf: { method: 'POST', path: '/api/calculators/cs-affordability/pdf' },
  },
}
const paths: Record<string, string> = {
  journalNew: '/finance/journal/create',
  journalEdit: '/finance/journal/edit/:id',
  leads: '/sales/leads',
  create: '/sales/leads/create',
  edit: '/sales/leads/edit/:id',
  view: '/sales/leads/:id/view',
  dashboard: '/sales/leadsdashboard',
  report: '/reports/standard/salesAgentReport',
  tenants: '/admin/tenants/list',
  role: '/admin/roles/add',
  calculator: '/sales/calculators/cs-affordability',
}

export function viewLayout(): ConsoleLayout {
  const screens = Object.entries(paths).map(([id, path]) => ({
    id,
    path,
    title: views[id]?.title ?? id,
    layout: 'standard' as const,
    offline: false,
    permitted: true,
    kind: views[id]?.kind ?? 'list',
  }))
  return fixtureLayout({
    screens: [...fixtureLayout().screens.filter((one) => !screens.some((screen) => screen.path === one.path)), ...screens],
  })
}

export interface Lead extends Record<string, unknown> {
  Id: string
  fullName: string
  status: string
  installmentAmount: number
  dateCreated: string
  version: number
}
const names = ['Achieng', 'Barasa', 'Chepkoech', 'Daudi', 'Emali', 'Fatuma', 'Gathoni', 'Hassan', 'Imani', 'Juma']

export function makeLeads(count: number): Lead[] {
  return Array.from({ length: count }, (_, index) => {
    const firstName = names[index % names.length] ?? ''
    const lastName = `${names[(index * 7) % names.length]}${index % 3 === 0 ? '-Wanjiru' : ''}`
    const [userId, userName] = users[index % users.length] ?? ['', '']
    return {
      Id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      fullName: `${firstName} ${lastName} ${index}`,
      firstName,
      lastName,
      phonenumber: `07${String(10_000_000 + index)}`,
      emailAddress: index % 4 === 0 ? null : `${firstName.toLowerCase()}${index}@mail.test`,
      status: statuses[index % statuses.length] ?? '',
      assignedUserId: userId,
      assignedUserIdLabel: userName,
      installmentAmount: ((index * 37) % 5000) + 0.5,
      consent: index % 2 === 0,
      dateCreated: new Date(Date.UTC(2026, 10, 21) - index * 600_000).toISOString(),
      version: 1,
      notes: null,
    }
  })
}

/** A small server over leads in memory: search, filter terms, sort, pages; and whatever else the views call. */
export function leadServer(leads: Lead[], more: Answers = {}): Answers {
  return {
    'GET /api/console/screens/*': (route) => ({
      view: views[decodeURIComponent(new URL(route.request().url()).pathname.split('/').at(-1) ?? '')],
    }),
    'GET /api/views': () => ({ views: [] }),
    'GET /api/leads': async (route) => void (await route.fulfill({ json: list(leads, new URL(route.request().url()).searchParams) })),
    'GET /api/leads/exist': (route) => ({
      exists: leads.some((lead) => lead.phonenumber === new URL(route.request().url()).searchParams.get('phonenumber')),
    }),
    'GET /api/leads/figures': () => ({
      total: 1284,
      open: 903,
      won: 211,
      rate: 16.4,
      byStatus: statuses.map((status, index) => ({ status, count: 300 - index * 45 })),
      bySource: { UI: 420, USSD: 260, 'Walk-in': 140, Referral: 90 },
      byDay: Array.from({ length: 21 }, (_, index) => ({
        day: `2026-11-${String(index + 1).padStart(2, '0')}`,
        count: 20 + ((index * 13) % 37),
      })),
      byAgent: users.map(([, name], index) => ({ name, leads: 90 - index * 20, converted: 20 - index * 4 })),
    }),
    'GET /api/leads/*': async (route) => {
      const id = new URL(route.request().url()).pathname.split('/')[3]
      if (route.request().url().endsWith('/timeline'))
        return {
          steps: leadSteps,
          timeline: [
            { at: '2026-11-20T08:00:00Z', who: 'Amina Otieno', what: 'Status New → Contacted' },
            { at: '2026-11-19T08:00:00Z', who: 'System', what: 'Captured' },
          ],
        }
      const lead = leads.find((one) => one.Id === id)
      return lead ? { lead } : refuse(route, 404, 'NOT_FOUND')
    },
    'GET /api/users': () => ({ users: users.map(([Id, fullName]) => ({ Id, fullName })) }),
    'GET /api/tenants': () => ({ tenants: fixtureLayout().user.tenants }),
    'GET /api/reports/runs': () => ({
      reportRuns: [
        {
          Id: 'r1',
          report: 'salesAgentReport',
          format: 'xlsx',
          status: 'done',
          rows: 42,
          dateCreated: '2026-11-20T08:00:00Z',
          fileName: 'Sales Agent 2026-11-20.xlsx',
          hasFile: true,
        },
      ],
    }),
    ...more,
  }
}

function list(leads: readonly Lead[], query: URLSearchParams) {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('size') ?? 100)]
  const search = query.get('search') ?? ''
  const terms = JSON.parse(query.get('filter') ?? '[]') as FilterPart[]
  const signs = (query.get('sortOrder') ?? '').split(',').map((order) => (order === 'ASC' ? 1 : -1))
  const sorts = (query.get('sortField') ?? 'dateCreated').split(',').map((field, index) => ({ field, sign: signs[index] ?? -1 }))
  const compare = (a: Lead, b: Lead, field: string) =>
    String(a[field]) < String(b[field]) ? -1 : Number(String(a[field]) > String(b[field]))
  const rows = leads
    .filter((lead) => lead.fullName.toUpperCase().includes(search) && terms.every((term) => fits(lead, term)))
    .sort((a, b) => sorts.reduce((so, { field, sign }) => so || sign * compare(a, b, field), 0))
  return { success: true, data: { leads: rows.slice((page - 1) * size, page * size) }, meta: { page, size, total: rows.length } }
}

function fits(lead: Lead, part: FilterPart): boolean {
  if (isGroup(part)) return 'all' in part ? part.all.every((one) => fits(lead, one)) : part.any.some((one) => fits(lead, one))
  const { field, op, value } = part
  const own = lead[field]
  if (op === 'in') return Array.isArray(value) && value.includes(own as string)
  if (op === 'eq') return String(own) === String(value)
  if (op === 'gte') return Number(own) >= Number(value)
  return true
}

/** Body of a call that the page made. */
export const bodyOf = (route: Route): Record<string, unknown> => sentBy(route.request())

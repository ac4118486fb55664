import { metadataXml } from '../../support/identity-provider.ts'
import { until } from '../../support/until.ts'
import { callAs, type Call } from './calls.ts'
import { pushFrom } from './device.ts'
import { leaveTwice } from './left-twice.ts'

/** Records that the demo has none of, so that every screen has something to show. */
export async function makeRecords(url: string): Promise<void> {
  const call = await callAs(url, 'admin@sunrise.test')
  // The demo company calls everything by its usual name.
  await call('POST', '/api/config/labels', { label: 'Postcode', value: 'Post code' })
  // Nor has it another system, with an address of its own.
  const [tenant] = ((await call('GET', '/api/tenants?size=1')).body as unknown as { data: { tenants: { Id: string }[] } }).data.tenants
  const made = await call('POST', '/api/api-users', { firstName: 'Payroll', tenants: [tenant?.Id], permissions: ['SALES/LEADS'] })
  const { apiUser } = (made.body as unknown as { data: { apiUser: { Id: string } } }).data
  await call('POST', '/api/ip-addresses', { name: 'Payroll', range: '127.0.0.1', appliesTo: 'user', userId: apiUser.Id })
  await pushFrom(url, 'officer@sunrise.test')
  await call('POST', '/api/webhooks', { name: 'Payroll', url: 'https://hooks.example.org/outpost', events: ['lead.created'] })
  await call('POST', '/api/oauth-clients', {
    name: 'Payroll',
    clientType: 'confidential',
    redirectUris: ['https://payroll.example.org/back'],
  })
}

/** What would lead other files astray: removeRecords takes it away again. */
export async function makeMoreRecords(url: string): Promise<void> {
  // A session of a program lasts ten minutes, a walk takes longer.
  const call = await callAs(url, 'admin@sunrise.test')
  const { roles = [] } = (await call('GET', '/api/roles?size=50')).body.data as { roles?: { Id: string; name: string }[] }
  const role = roles.find(({ name }) => name === 'Loan Officer') ?? roles[0]
  await call('POST', '/api/saml-providers', { name: 'Payroll', metadata: metadataXml(), linksByEmail: true })
  await call('POST', '/api/applications/limits', { roleId: role?.Id, amount: 1_000 })
  await call('POST', '/api/report-categories', { name: 'People', reports: ['userLoginReport'] })
  await call('POST', '/api/statements', { source: 'bank', csv: 'Date,Amount,Reference\n2026-01-05,10.00,B1' })
  await call('POST', '/api/reconciliation/run', {})
  await until(
    async () => JSON.stringify((await call('GET', '/api/reconciliation/differences?size=1')).body).includes('differenceNumber'),
    30_000,
  )
  await leaveTwice(url, call)
  await call('POST', '/api/statements/rules', { position: 1, column: 'details', holds: 'bank fee', does: 'ignore' })
  await call('POST', '/api/geo/asset-group', { name: 'Pool cars' })
  await call('POST', '/api/geo/asset-category', { name: 'Pool cars' })
  // A vehicle that the officer sees, too.
  const officer = await callAs(url, 'officer@sunrise.test')
  const { assets } = (await officer('GET', '/api/tracking/assets?size=1')).body.data as { assets: { Id: string }[] }
  const assetId = assets[0]?.Id
  const made = await call('POST', '/api/tracking/maintenance-plans', { name: 'Service', assetId, everyDays: 180 })
  const { maintenancePlan } = made.body.data as { maintenancePlan: { Id: string } }
  await call('POST', '/api/tracking/maintenance-entries', { planId: maintenancePlan.Id, assetId, doneOn: '2026-01-05' })
  const { loans } = (await call('GET', '/api/loans?size=200')).body.data as { loans: { Id: string; status: string }[] }
  const loanId = loans.find(({ status }) => status === 'Active')?.Id
  await call('POST', '/api/security-sales', { loanId, description: 'Generator', soldOn: today(), price: 100, costs: 10, channel: 'bank' })
}

async function removeAll(call: Call, path: string, many: string): Promise<void> {
  const rows = ((await call('GET', `${path}?size=50`)).body.data as Record<string, { Id: string }[]>)[many] ?? []
  for (const { Id } of rows) await call('POST', `${path}/delete`, { id: Id })
}
export async function removeRecords(url: string): Promise<void> {
  const call = await callAs(url, 'admin@sunrise.test')
  await removeAll(call, '/api/saml-providers', 'samlProviders')
  await removeAll(call, '/api/applications/limits', 'approvalLimits')
  await removeAll(call, '/api/report-categories', 'reportCategories')
}

export const today = (): string => new Date().toISOString().slice(0, 10)

import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { create, get, list, query, update } from '../../kernel/resource/operations.ts'
import { formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import type { Area } from '../../kernel/types.ts'
import type { Machine } from '../../machine.ts'
import { letInJob } from './break-glass.job.ts'
import { letInPage } from './break-glass.page.ts'
import { dryRun, dryRunAnswer, dryRunInput } from './dry-run.ts'
import { ipAddress } from './ip-address.resource.ts'
import { removeUnlessLockedOut } from './remove.ts'
import { restoreUnlessLockedOut } from './restore.ts'

const [see, add, edit, drop] = [may('ADMIN/IPADDRESSES'), may('ADMIN/IPADDRESSES/CREATE'), may('ADMIN/IPADDRESSES/EDIT'), may('ADMIN/IPADDRESSES/DELETE')]
const ask = may('ADMIN/IPADDRESSES/CREATE', 'ADMIN/IPADDRESSES/EDIT', 'ADMIN/IPADDRESSES/DELETE')
const own = { own: true }
/** Who gets in is decided in nobody else's name. */
const inPerson = { own: true, inPerson: true }

/** Said while the form is filled in, before it is saved. */
const warned = { check: { route: 'ipAddresses.dryRun', fields: ['range', 'appliesTo', 'roleId', 'userId'], message: 'would lock people out' } }

/** Where the company's people and programs may work from. */
export const ipAddressesArea = ({ mail }: Pick<Machine, 'mail'>): Area => defineArea({
  name: 'ipAddresses',
  jobs: [letInJob(mail)],
  resources: [ipAddress],
  routes: [
    route('ipAddresses.list', 'GET', '/api/ip-addresses', see, list(ipAddress), own),
    route('ipAddresses.get', 'GET', '/api/ip-addresses/:id', see, get(ipAddress), own),
    route('ipAddresses.timeline', 'GET', '/api/ip-addresses/:id/timeline', see, history(ipAddress), own),
    route('ipAddresses.dryRun', 'POST', '/api/ip-addresses/dry-run', ask, query(dryRunInput, dryRun, dryRunAnswer), { own: true, summary: 'Who would be locked out by an entry' }),
    route('ipAddresses.create', 'POST', '/api/ip-addresses', add, create(ipAddress), inPerson),
    route('ipAddresses.remove', 'POST', '/api/ip-addresses/delete', drop, removeUnlessLockedOut, inPerson),
    route('ipAddresses.restore', 'POST', '/api/ip-addresses/restore', drop, restoreUnlessLockedOut, inPerson),
    ...letInPage,
    route('ipAddresses.update', 'PUT', '/api/ip-addresses/:id', edit, update(ipAddress), inPerson),
  ],
  screens: [
    screen('/admin/ip-addresses/list', see, listOf(ipAddress, { source: 'ipAddresses.list' }), { menu: { under: 'administration', label: 'IP addresses', icon: 'global', order: 5 } }),
    screen('/admin/ip-addresses/create', add, formOf(ipAddress, { overrides: warned })),
    screen('/admin/ip-addresses/:id/edit', edit, formOf(ipAddress, { overrides: warned })),
  ],
})

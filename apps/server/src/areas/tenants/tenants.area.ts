import { anySession, defineArea, may, route } from '../../kernel/area.ts'
import { get, list, noInput, query } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import * as answers from './tenant.answers.ts'
import { tenantCompanyNotFound } from './tenant.errors.ts'
import * as handle from './tenant.handlers.ts'
import { tenant } from './tenant.resource.ts'
import * as tree from './tenant.tree.ts'

/** The tree of companies, branches and teams; everybody reads what is in reach, for all of it is filed under tenants. */
export const tenantsArea = defineArea({
  name: 'tenants',
  palette: [{ resource: tenant, anyOf: ['ADMIN/TENANTS'], subtitle: `t."shortCode"`, open: '/admin/tenants/list?peek=', branch: 'parentId', isSmall: true, order: 50 }],
  errors: [tenantCompanyNotFound],
  resources: [tenant],
  routes: [
    route('tenants.list', 'GET', '/api/tenants', anySession, list(tenant)),
    route('tenants.types', 'GET', '/api/tenants/tenanttypes', anySession, query(noInput, handle.tenantTypes, answers.typesAnswer)),
    route('tenants.company', 'GET', '/api/tenants/tenantCompany/:id', anySession, query(idInput, tree.companyOf, answers.companyAnswer)),
    route('tenants.currency', 'GET', '/api/tenants/tenantCurrency/:id', anySession, query(idInput, tree.currencyOf, answers.currencyAnswer)),
    route('tenants.ofUser', 'GET', '/api/tenants/usertenants/:id', anySession, query(idInput, tree.tenantsOfUser, answers.ofUserAnswer)),
    route('tenants.belowTenant', 'GET', '/api/tenants/descendantsByTenantId', anySession, query(noInput, tree.descendantsOfTenant, answers.treeAnswer)),
    route('tenants.below', 'GET', '/api/tenants/descendants-by-specific-tenantid', anySession, query(tree.underInput, tree.descendantsOf, answers.treeAnswer)),
    route('tenants.belowUser', 'GET', '/api/tenants/descendantsByUserId', anySession, query(noInput, tree.descendantsOfUser, answers.treeAnswer)),
    route('tenants.count', 'GET', '/api/tenants/count-sub-tenants', anySession, query(noInput, tree.countBelow, answers.countAnswer)),
    route('tenants.location', 'GET', '/api/tenants/location/:userId', anySession, query(handle.userInput, handle.locationOf, answers.locationAnswer)),
    route('tenants.get', 'GET', '/api/tenants/:id', anySession, get(tenant)),
    route('tenants.create', 'POST', '/api/tenants', may('ADMIN/TENANTS/CREATE'), handle.createTenant, { ownTransaction: true }),
    route('tenants.update', 'PUT', '/api/tenants/:id', may('ADMIN/TENANTS/EDIT'), handle.updateTenant),
    route('tenants.remove', 'POST', '/api/tenants/delete', may('ADMIN/TENANTS/DELETE'), handle.removeTenant),
  ],
  screens: [
    screen('/admin/tenants/list', may('ADMIN/TENANTS'), listOf(tenant), { menu: { under: 'administration', label: 'Tenants', icon: 'apartment', order: 6 } }),
    screen('/admin/tenants/create', may('ADMIN/TENANTS/CREATE'), formOf(tenant)),
    screen('/admin/tenants/edit/:id', may('ADMIN/TENANTS/EDIT'), formOf(tenant)),
  ],
})
